"""A client of the document service (httpx 0.28.1 is installed, nothing else).

The service, below an address such as https://docs.example/v1:

GET    /documents?tag=…        200, a JSON array of names. `tag` may occur several times
GET    /documents/NAME         200, a JSON object, and its version in the header ETag; 404
POST   /documents              the JSON object {"name": …, "content": …}; 201 and an ETag; 409 if the
                               name is taken; 422 if the content is refused
PUT    /documents/NAME         the JSON content; 200 and the new ETag; 412 if the header If-Match is
                               not the present version; 404; 422
DELETE /documents/NAME         204; 404

An answer of 422 has the JSON object {"errors": [{"field": …, "message": …}, …]}. Every other status
than those named here is unexpected, and raises httpx.HTTPStatusError. NAME is one segment of the
path: all characters that have a meaning in an address are percent-encoded, / and ? as well.

This file is imported as part of a package: import further modules relatively.
"""

from typing import Any

import httpx


class Changed(Exception):
    """Somebody else has saved the document in between, or the name is taken."""


class Refused(Exception):
    """The service refuses the content. The message is "field: message" of all errors, joined by
    "; ", in their order."""


class Documents:
    """Usable in a `with` statement, whose end closes the client."""

    def __init__(self, url: str, transport: httpx.BaseTransport | None = None) -> None:
        raise NotImplementedError

    def list(self, *tags: str) -> list[str]:
        """The names of the documents that have all of these tags, in the service's order."""
        raise NotImplementedError

    def get(self, name: str) -> tuple[Any, str] | None:
        """The content of a document and its ETag, exactly as it was sent; None if there is none."""
        raise NotImplementedError

    def create(self, name: str, content: Any) -> str:
        """Store a new document; returns its ETag. Changed if the name is taken, Refused."""
        raise NotImplementedError

    def save(self, name: str, content: Any, etag: str) -> str:
        """Store a new content in place of the version `etag`; returns the new ETag.

        Changed if that is not the present version any more; LookupError if there is no such
        document; Refused.
        """
        raise NotImplementedError

    def delete(self, name: str) -> bool:
        """Remove a document; whether there was one."""
        raise NotImplementedError
