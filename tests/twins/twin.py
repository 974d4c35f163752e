"""One of the twins: a kernel that runs the cells of rows, and all that it sends."""

import ast
import json
import queue
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from jupyter_mlprof.model.profile import MIME_TYPE
from tests.kernel import Kernel
from tests.twins.normal import Normal, history, merged
from tests.twins.row import Row, Step, Twin
from tests.twins.state import expression

STEP_S = 60
POLL_S = 0.005
AFTER_PRINTED_S = 0.3
# While it sleeps, the cell and the one behind it reach the kernel's queue.
GATE = "__import__('time').sleep(0.05)"
SEEDED = "__import__('random').seed(5)"
OURS = re.compile(r"^mlprof: .*\n?", re.MULTILINE)


@dataclass
class Heard:
    """What came of a cell and of the one behind it."""

    parents: dict[str, str]
    typed: list[str]
    interrupt: bool
    messages: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    replies: dict[str, Any] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    idle: set[str] = field(default_factory=set)
    died: str | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing more is to come."""
        both = len(self.parents)
        return self.died is not None or (len(self.idle) == both and len(self.replies) == both)

    def parent(self, message: dict[str, Any]) -> str | None:
        """Return the cell that a message belongs to."""
        return self.parents.get(message["parent_header"].get("msg_id"))


@dataclass
class Seen:
    """What one twin gave: `plain` is compared, the rest is ours."""

    plain: dict[str, Any] = field(default_factory=dict)
    profiles: list[dict[str, Any]] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    alive: bool = True


class TwinKernel(Kernel):
    """A kernel in a folder of its own, which runs rows."""

    def __init__(self, twin: Twin, folder: Path) -> None:
        self.twin = twin
        self.folder = folder / twin.ljust(8, "_")  # as long for one twin as for the other
        self.work = self.folder / "work"
        self.work.mkdir(parents=True)
        names = ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        own = {name: str(self.folder / name.lower()) for name in names}
        settings = self.folder / "ipythondir" / "profile_default" / "ipython_config.py"
        settings.parent.mkdir(parents=True)
        # The history is written by a thread, now and then.
        settings.write_text("c.HistoryManager.enabled = False\n", encoding="utf-8")
        super().__init__(self.folder / "data", **own)
        # Sockets in a folder of its own: a free port may be taken by the time the kernel binds it.
        self.manager.transport = "ipc"
        self.manager.ip = str(self.folder / "socket")

    def start(self) -> None:
        """Start, and load the extension where this is the profiled twin."""
        self.manager.start_kernel(env=self.env, cwd=str(self.work), stderr=DEVNULL)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=STEP_S)
        load = "%load_ext jupyter_mlprof\n" if self.twin == "profiled" else ""
        self.run(load + SEEDED)

    def end(self) -> None:
        """Kill the kernel."""
        self.__exit__(None, None, None)

    def row(self, row: Row) -> Seen:
        """Run a row."""
        seen = Seen()
        normal = Normal(str(self.folder))
        steps = []
        for step in row.steps:
            heard = self._step(step)
            steps.append(_split(heard, step.text(self.twin), seen))
            time.sleep(step.pause_s)
            seen.alive = heard.died is None
            if not seen.alive:
                break
        state = self._state() if seen.alive else None
        seen.plain = normal.value({"steps": steps, "state": state})
        return seen

    def _step(self, step: Step) -> Heard:
        """Run a cell, as a rule with another one behind it in the queue."""
        self._ask(GATE)
        cells = {self._ask(step.text(self.twin), store_history=True): "cell"}
        if step.followed:
            cells[self._ask("pass")] = "behind"
        heard = Heard(cells, list(step.typed), step.interrupted)
        deadline = time.monotonic() + STEP_S
        while not heard.complete:
            if time.monotonic() > deadline:
                heard.died = "no answer in time"
            elif not self._hear_output(heard) and not self._hear_rest(heard):
                self._look(heard)
        return heard

    def _hear_output(self, heard: Heard) -> bool:
        message = self._next(self.client.iopub_channel)
        if message is None:
            return False
        parent, content = heard.parent(message), message["content"]
        if parent is not None:
            heard.messages.append((parent, message["msg_type"], content))
            if content.get("execution_state") == "idle":
                heard.idle.add(parent)
        if heard.interrupt and message["msg_type"] == "stream":
            heard.interrupt = False
            time.sleep(AFTER_PRINTED_S)
            self.manager.interrupt_kernel()
        return True

    def _hear_rest(self, heard: Heard) -> bool:
        """Answer a question, keep a reply."""
        asked = self._next(self.client.stdin_channel)
        if asked is not None:
            heard.asked.append(asked["content"])
            self.client.input(heard.typed.pop(0) if heard.typed else "")
        reply = self._next(self.client.shell_channel)
        parent = heard.parent(reply) if reply is not None else None
        if reply is not None and parent is not None:
            heard.replies[parent] = reply["content"]
        return reply is not None

    def _look(self, heard: Heard) -> None:
        """Tell whether the kernel is still there."""
        if not self.manager.is_alive():
            process = getattr(self.manager.provisioner, "process", None)
            heard.died = f"exit code {getattr(process, 'returncode', None)}"

    def _next(self, channel: Any) -> dict[str, Any] | None:
        try:
            message: dict[str, Any] = channel.get_msg(timeout=POLL_S)
        except queue.Empty:
            return None
        return message

    def _ask(self, code: str, **changes: Any) -> str:
        content = {
            "code": code,
            "silent": False,
            "store_history": False,
            "user_expressions": {},
            "allow_stdin": True,
            "stop_on_error": True,
            **changes,
        }
        message = self.client.session.msg("execute_request", content)
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def _state(self) -> dict[str, Any]:
        """Read what is left in the kernel, without running a cell."""
        asked = self._ask("", silent=True, user_expressions={"s": expression(str(self.work))})
        deadline = time.monotonic() + STEP_S
        reply = None
        while reply is None or reply["parent_header"].get("msg_id") != asked:
            reply = self._next(self.client.shell_channel)
            if time.monotonic() > deadline or not (reply or self.manager.is_alive()):
                return {"unreadable": "the kernel does not answer"}
        value = reply["content"].get("user_expressions", {}).get("s", reply["content"])
        if value["status"] != "ok":
            return {"unreadable": value}
        state: dict[str, Any] = json.loads(ast.literal_eval(value["data"]["text/plain"]))
        state["In"] = history(state["In"])
        return state


def _split(heard: Heard, code: str, seen: Seen) -> dict[str, Any]:
    """Divide what came into what a plain cell sends and what is ours."""
    plain: dict[str, list[dict[str, Any]]] = {"cell": [], "behind": []}
    for parent, kind, content in heard.messages:
        data = content.get("data") if kind == "display_data" else None
        if data and MIME_TYPE in data:
            seen.profiles.append(data[MIME_TYPE])
            continue
        plain[parent].append({"type": kind, "content": dict(content)})
    for parent, messages in plain.items():
        told = (_plain(one, code, seen) for one in merged(messages))
        plain[parent] = [one for one in told if one is not None]
    return {**plain, "replies": heard.replies, "asked": heard.asked, "died": heard.died}


def _plain(message: dict[str, Any], code: str, seen: Seen) -> dict[str, Any] | None:
    """Return a message without what is ours in it, or None where nothing is left."""
    content = message["content"]
    if message["type"] == "execute_input" and content["code"] == code:
        content["code"] = "the cell"
    if message["type"] == "stream" and content["name"] == "stderr":
        seen.sentences += [one.strip() for one in OURS.findall(content["text"])]
        content["text"] = OURS.sub("", content["text"])
        if not content["text"]:
            return None
    return message
