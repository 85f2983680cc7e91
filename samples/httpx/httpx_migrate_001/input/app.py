"""The client of an archive. Written for httpx 0.13; has to run on httpx 0.28.1."""

import httpx


class Archive:
    """A client of the archive at `url`.

    `routes` says which requests go another way than by `transport`: a dict from "all", "http",
    "https" or the beginning of an address ("http://intern.example", "https://intern.example:8443")
    to a transport. The most precise one counts. Redirects are followed, up to 5 for one request.
    """

    def __init__(self, url, transport=None, routes=None):
        self.client = httpx.Client(
            base_url=url, dispatch=transport, proxies=routes or {}, max_redirects=5
        )

    def close(self):
        self.client.close()

    def read(self, path):
        """Where a document was found in the end, and its text, as a dict: "host" (the port is
        added, "host:port", if the address names one), "target" (path and query), "text".

        LookupError if there is none (404); other errors raise httpx.HTTPError.
        """
        response = self.client.get(path)
        if response.status_code == httpx.StatusCode.NOT_FOUND:
            raise LookupError(path)
        response.raise_for_status()
        url = response.url
        return {"host": url.authority, "target": url.full_path, "text": response.text}

    def upload(self, path, data):
        """PUT bytes or a text as they are; the type is text/plain. Returns the answer's status,
        whatever it is; the answer's redirects are not followed."""
        headers = {"Content-Type": "text/plain"}
        response = self.client.put(path, data=data, headers=headers, allow_redirects=False)
        return response.status_code

    def lines(self, path, stop="END"):
        """The lines of a text up to `stop`, which is not among them. Read piece by piece: what
        comes after it is never fetched. Errors raise httpx.HTTPError."""
        found = []
        response = self.client.get(path, stream=True)
        try:
            response.raise_for_status()
            for line in response.stream_lines():
                line = line.rstrip("\r\n")
                if line == stop:
                    break
                found.append(line)
        finally:
            response.close()
        return found

    def state(self, path):
        """"there", "missing" (404), "broken" (another error's status), "slow" (a time limit),
        "away" (no connection) or "lost" (too many redirects, or in a circle)."""
        try:
            response = self.client.head(path)
            response.raise_for_status()
        except (httpx.TooManyRedirects, httpx.RedirectLoop):
            return "lost"
        except (httpx.ReadTimeout, httpx.ConnectTimeout, httpx.WriteTimeout, httpx.PoolTimeout):
            return "slow"
        except httpx.NetworkError:
            return "away"
        except httpx.HTTPError as error:
            if error.response.status_code == httpx.StatusCode.NOT_FOUND:
                return "missing"
            return "broken"
        return "there"

    def cookies(self, path, **cookies):
        """The Set-Cookie headers of the answer to a GET with these cookies, as a list. The cookies
        are sent with this request only; nothing that the answer sets is sent later."""
        response = self.client.get(path, cookies=cookies, allow_redirects=False)
        self.client.cookies.clear()
        return response.headers.getlist("Set-Cookie")
