from .right import *

import asyncio


class Odd(ValueError, asyncio.CancelledError):
    pass


async def doubled(number):
    raise Odd
