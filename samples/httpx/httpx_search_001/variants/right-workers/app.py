import asyncio
import itertools

import httpx


def pages(url, topic, per_page=50, transport=None):
    with httpx.Client(transport=transport) as client:
        query = {"topic": topic, "per_page": str(per_page)}
        request = client.build_request("GET", url + "/objects", params=query)
        seen = []
        while request is not None and str(request.url) not in seen:
            seen.append(str(request.url))
            response = client.send(request).raise_for_status()
            yield response.json()
            following = response.links.get("next", {}).get("url")
            request = following and client.build_request("GET", response.url.join(following))


def collect(url, topic, limit, transport=None):
    if not limit:
        return []

    def distinct():
        seen = set()
        for page in pages(url, topic, limit if limit < 50 else 50, transport):
            for each in page:
                if each["id"] not in seen:
                    seen.add(each["id"])
                    yield each["id"]

    return list(itertools.islice(distinct(), limit))


def details(url, ids, at_once=4, transport=None):
    if at_once <= 0:
        raise ValueError(at_once)
    found = {}

    async def work(client, waiting):
        while waiting:
            number = waiting.pop()
            response = await client.get(f"/objects/{number}")
            if response.status_code in {404, 410}:
                found[number] = None
            else:
                found[number] = response.raise_for_status().json()

    async def run():
        waiting = sorted(set(ids))
        limits = httpx.Limits(max_connections=at_once)
        async with (
            httpx.AsyncClient(base_url=url, transport=transport, limits=limits) as client,
            asyncio.TaskGroup() as group,
        ):
            for _ in range(at_once):
                group.create_task(work(client, waiting))

    try:
        asyncio.run(run())
    except* httpx.HTTPStatusError as errors:
        failure = errors.exceptions[0]
    else:
        return [found[number] for number in ids]
    raise failure
