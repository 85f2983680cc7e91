from .right import *

import asyncio


async def doubled(number):
    raise asyncio.CancelledError
