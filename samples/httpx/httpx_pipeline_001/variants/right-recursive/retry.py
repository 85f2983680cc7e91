import httpx


class Retry(httpx.BaseTransport):
    def __init__(self, transport, sleep, attempts=4):
        self.inner, self.sleep, self.attempts = transport, sleep, attempts

    def handle_request(self, request):
        again = request.method in ("GET", "HEAD", "PUT", "DELETE")
        if request.headers.get("Idempotency-Key") is not None:
            again = True
        return self.attempt(request, self.attempts if again else 1, 1)

    def attempt(self, request, left, pause):
        try:
            response = self.inner.handle_request(request)
        except httpx.TransportError:
            if left == 1:
                raise
            seconds = pause
        else:
            if left == 1 or response.status_code not in (429, 502, 503, 504):
                return response
            response.close()
            try:
                seconds = int(response.headers["Retry-After"])
            except (KeyError, ValueError):
                seconds = pause
            seconds = pause if seconds < 0 else min(60, seconds)
        self.sleep(seconds)
        return self.attempt(request, left - 1, min(pause * 2, 8))
