import asyncio

import httpx

from .auth import Bearer


class Body(httpx.AsyncByteStream):
    def __init__(self, pieces):
        self.pieces = pieces

    async def __aiter__(self):
        for piece in self.pieces:
            yield piece


async def one(client, method, address, pieces):
    request = client.build_request(
        method, address, content=Body(pieces) if pieces is not None else None
    )
    try:
        response = await client.send(request)
        return (response.status_code, response.text)
    except Exception as error:
        return error.__class__.__name__


async def rounds_of(client, rounds):
    results = []
    async with client:
        for asks in rounds:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(client, *ask)) for ask in asks]
            results.append([task.result() for task in tasks])
    return results


def send_all(url, saved, rounds, transport, clock, keep):
    client = httpx.AsyncClient(
        auth=Bearer(url, saved, clock, keep), base_url=url + "/", transport=transport,
        follow_redirects=True,
    )
    return asyncio.run(rounds_of(client, rounds))
