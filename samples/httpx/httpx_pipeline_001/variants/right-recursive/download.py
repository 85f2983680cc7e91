import hashlib
import os


class Damaged(ValueError):
    pass


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def download(client, url, target, sha256):
    part = f"{target}.part"
    with open(part, "ab") as stream:
        start = stream.tell()
        request = client.build_request("GET", url)
        if start:
            request.headers["Range"] = f"bytes={start}-"
        count = 0
        response = client.send(request, stream=True)
        try:
            if not (response.status_code == 416 and start):
                if not start and not response.is_success:
                    os.unlink(part)
                response.raise_for_status()
                if response.status_code == 200:
                    stream.truncate(0)
                for chunk in response.iter_raw():
                    count += stream.write(chunk)
                    stream.flush()
        finally:
            response.close()
    if digest(target.with_name(target.name + ".part")) == sha256:
        os.replace(part, target)
        return count
    os.remove(part)
    raise Damaged(str(target))
