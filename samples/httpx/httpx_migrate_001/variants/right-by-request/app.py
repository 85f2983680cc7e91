import httpx


class Archive:
    def __init__(self, url, transport=None, routes=None):
        mounts = {}
        for key, route in (routes or {}).items():
            mounts[key if "://" in key else key + "://"] = route
        self.client = httpx.Client(
            base_url=url, transport=transport, mounts=mounts, max_redirects=5
        )

    def close(self):
        self.client.close()

    def read(self, path):
        response = self.client.get(path, follow_redirects=True)
        if response.status_code == 404:
            raise LookupError(path)
        response.raise_for_status()
        url = response.url
        host = url.host if url.port is None else f"{url.host}:{url.port}"
        target = url.raw_path.decode("ascii")
        return {"host": host, "target": target, "text": response.text}

    def upload(self, path, data):
        body = data.encode() if isinstance(data, str) else data
        request = self.client.build_request(
            "PUT", path, content=body, headers={"content-type": "text/plain"}
        )
        return self.client.send(request).status_code

    def lines(self, path, stop="END"):
        found = []
        request = self.client.build_request("GET", path)
        response = self.client.send(request, stream=True, follow_redirects=True)
        try:
            response.raise_for_status()
            for line in response.iter_lines():
                if line == stop:
                    return found
                found.append(line)
        finally:
            response.close()
        return found

    def state(self, path):
        try:
            response = self.client.request("HEAD", path, follow_redirects=True)
        except httpx.TooManyRedirects:
            return "lost"
        except httpx.TransportError as error:
            return "slow" if isinstance(error, httpx.TimeoutException) else "away"
        if response.status_code == 404:
            return "missing"
        return "there" if response.is_success else "broken"

    def cookies(self, path, **cookies):
        pairs = "; ".join(f"{name}={value}" for name, value in cookies.items())
        response = self.client.get(path, headers={"cookie": pairs} if pairs else {})
        self.client.cookies.clear()
        return [value for name, value in response.headers.multi_items() if name == "set-cookie"]
