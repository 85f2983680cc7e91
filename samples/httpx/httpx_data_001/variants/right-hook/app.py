import json
from urllib.parse import quote

import httpx


class Changed(Exception):
    pass


class Refused(Exception):
    pass


class Missing(LookupError):
    pass


def refuse(response):
    response.read()
    method, status = response.request.method, response.status_code
    if method in ("POST", "PUT") and status == 422:
        found = json.loads(response.content)["errors"]
        raise Refused("; ".join("{field}: {message}".format(**error) for error in found))
    if (method, status) in {("POST", 409), ("PUT", 412)}:
        raise Changed(response.url)
    one = not response.request.url.path.endswith("/documents")
    if status == 404 and one and method != "POST":
        raise Missing(response.url)
    if not response.is_success:
        raise httpx.HTTPStatusError(str(status), request=response.request, response=response)


class Documents:
    def __init__(self, url, transport=None):
        self.url = url + "/documents"
        self.client = httpx.Client(transport=transport, event_hooks={"response": [refuse]})

    def __enter__(self):
        self.client.__enter__()
        return self

    def __exit__(self, kind, value, trace):
        self.client.__exit__(kind, value, trace)

    def one(self, name):
        return f"{self.url}/{quote(name, '')}"

    def list(self, *tags):
        return self.client.get(self.url, params=[("tag", tag) for tag in tags]).json()

    def get(self, name):
        try:
            response = self.client.get(self.one(name))
        except Missing:
            return None
        return json.loads(response.content), response.headers["ETag"]

    def create(self, name, content):
        made = self.client.post(self.url, json=dict(name=name, content=content))
        return made.headers["ETag"]

    def save(self, name, content, etag):
        done = self.client.put(self.one(name), json=content, headers=[("If-Match", etag)])
        return done.headers["ETag"]

    def delete(self, name):
        try:
            self.client.delete(self.one(name))
        except Missing:
            return False
        return True
