"""Rows on cells that await."""

from tests.twins.row import one

ROWS = (
    one(
        "top-level await",
        """\
%%mlprof
import asyncio
await asyncio.sleep(0.1)
'awaited'""",
    ),
    one(
        "await alone",
        """\
%%mlprof

await __import__('asyncio').sleep(0.5)""",
        hottest=3,
    ),
    one(
        "async for and async with",
        """\
%%mlprof
import asyncio, contextlib
async def ticks():
    for i in range(3):
        await asyncio.sleep(0.01)
        yield i
@contextlib.asynccontextmanager
async def within():
    print('in')
    yield 1
    print('out')
async for tick in ticks():
    print(tick)
async with within() as got:
    print(got)
[t async for t in ticks()]""",
    ),
    one(
        "tasks gathered",
        """\
%%mlprof
import asyncio
async def work(i):
    await asyncio.sleep(0.02 * i)
    return i
await asyncio.gather(*map(work, range(4)))""",
    ),
    one(
        "an error in awaited code",
        """\
%%mlprof
import asyncio
async def fails():
    await asyncio.sleep(0.01)
    raise ValueError('late')
await fails()""",
    ),
)
