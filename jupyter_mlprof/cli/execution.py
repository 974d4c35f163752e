"""Run all cells of a notebook in a fresh kernel, and keep what ran, however it ends."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_client.client import KernelClient
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, CellExecutionError, DeadKernelError
from nbclient.util import ensure_async
from nbformat import NotebookNode

from jupyter_mlprof.cli.progress import Progress
from jupyter_mlprof.notebook_file import NotebookError

TICK_S = 0.5
# An interrupted cell may end in its own time, so that its profile is kept.
PATIENCE_S = 5.0
PROFILE_ALL = (
    '__import__("jupyter_mlprof").load_ipython_extension(get_ipython())\n'
    'get_ipython().run_line_magic("mlprof_auto", "all")'
)
DIED = "The kernel died: `jupyter mlprof show --last` tells in which line."


@dataclass(frozen=True)
class Ended:
    """How a run ended: a sentence where it did not reach the end, the signal that stopped it."""

    problem: str | None = None
    signal: int | None = None


def execute(notebook: NotebookNode, folder: Path, told: Progress, *, every_cell: bool) -> Ended:
    """Run all cells, in place; `folder` is the kernel's working directory.

    Raises:
        NotebookError: the kernel cannot be started, or cannot profile every cell.
    """
    client = NotebookClient(
        notebook,
        timeout=None,
        startup_timeout=120,
        resources={"metadata": {"path": str(folder)}},
    )
    return asyncio.run(Execution(client, told, every_cell=every_cell).run())


@dataclass
class Execution:
    """One run of a notebook."""

    client: NotebookClient
    told: Progress
    every_cell: bool
    signal: int | None = None
    _main: asyncio.Task[Any] | None = None
    _running: bool = False
    _tasks: list[asyncio.Task[Any]] = field(default_factory=list)

    async def run(self) -> Ended:
        """Run all cells; a signal stops the run and not this process."""
        self._main = asyncio.current_task()
        self._tasks = [asyncio.create_task(self._tick())]
        problem: str | None = None
        with self._signals():
            try:
                problem = await self._run()
            except (asyncio.CancelledError, DeadKernelError):
                problem = DIED
            finally:
                await self._stop_kernel()
        if self.signal is not None:
            name = signal.Signals(self.signal).name
            return Ended(f"Stopped by {name}: what ran until then is kept.", self.signal)
        return Ended(problem)

    async def _run(self) -> str | None:
        await self._start_kernel()
        cells = [pair for pair in enumerate(self.client.nb.cells) if _runs(pair[1])]
        for count, (index, cell) in enumerate(cells, start=1):
            self.told.begins(count, len(cells), cell.source)
            problem = await self._cell(index, cell)
            if problem or self.signal is not None:
                return problem
        self.client.set_widgets_metadata()
        return None

    async def _cell(self, index: int, cell: NotebookNode) -> str | None:
        """Run a cell; return how it failed, if it did."""
        self._running = True
        number = self.client.code_cells_executed + 1
        try:
            await self.client.async_execute_cell(cell, index, execution_count=number)
        except CellExecutionError as error:
            return f"A cell failed with {error.ename}: {error.evalue}"
        except CellControlSignal as error:
            return f"A cell did not end: {error}"
        finally:
            self._running = False
        return None

    async def _start_kernel(self) -> None:
        client = self.client
        try:
            client.km = client.create_kernel_manager()
            await client.async_start_new_kernel()
            await client.async_start_new_kernel_client()
            reply = await self._reply(self._kernel.kernel_info())
            client.nb.metadata["language_info"] = reply["language_info"]
        except NoSuchKernel as error:
            raise NotebookError(
                f"There is no kernel named {error.name}: install it, or choose another kernel in"
                " the notebook."
            ) from error
        except (OSError, RuntimeError, KeyError) as error:
            raise NotebookError(f"The kernel could not be started: {error!s:.200}") from error
        if self.every_cell:
            await self._profile_every_cell()

    @property
    def _kernel(self) -> KernelClient:
        assert self.client.kc is not None  # noqa: S101 - once it is started
        return self.client.kc

    async def _reply(self, message: Any) -> dict[str, Any]:
        reply: Any = await self.client.async_wait_for_reply(await ensure_async(message))
        content: dict[str, Any] = reply["content"] if reply else {}
        return content

    async def _profile_every_cell(self) -> None:
        reply = await self._reply(
            self._kernel.execute(PROFILE_ALL, silent=True, store_history=False)
        )
        if reply.get("status") != "ok":
            why = f"{reply.get('ename', '')}: {reply.get('evalue', '')}".strip(": ")
            raise NotebookError(
                "The notebook's kernel cannot profile every cell: install the jupyter_mlprof of"
                f" this version there ({why:.120})."
            )

    async def _stop_kernel(self) -> None:
        """End the kernel, at once where a signal asked for it."""
        self._main = None  # beyond what a signal may cut short
        for task in self._tasks:
            task.cancel()
        manager, client = self.client.km, self.client.kc
        if client is not None:
            client.stop_channels()
        if manager is not None and manager.has_kernel:
            with contextlib.suppress(RuntimeError):
                await ensure_async(manager.shutdown_kernel(now=self.signal is not None))
            await ensure_async(manager.cleanup_resources())

    async def _tick(self) -> None:
        while True:
            self.told.tick()
            await asyncio.sleep(TICK_S)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        heard = (signal.SIGINT, signal.SIGTERM)
        # Windows has no such handlers, nor has a thread beside the main one.
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            for number in heard:
                loop.add_signal_handler(number, self._stop, number)
        try:
            yield
        finally:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                for number in heard:
                    loop.remove_signal_handler(number)

    def _stop(self, number: int) -> None:
        """Interrupt the cell that runs; a second signal does not wait for its end."""
        again = self.signal is not None
        self.signal = number
        if again or not self._running:
            self._give_up()
            return
        self._tasks.append(asyncio.create_task(self._interrupt()))
        asyncio.get_running_loop().call_later(PATIENCE_S, self._give_up)

    async def _interrupt(self) -> None:
        if self.client.km is not None:
            await ensure_async(self.client.km.interrupt_kernel())

    def _give_up(self) -> None:
        if self._main is not None:
            self._main.cancel()


def _runs(cell: NotebookNode) -> bool:
    return bool(cell.cell_type == "code" and cell.source.strip())
