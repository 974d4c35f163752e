"""One GPU as NVML tells of it, for the thread that looks at all of them."""

import time

TYPE_CHECKING = False  # to import typing would make every start slower
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

# What is known of a GPU; `used` tells whether the kernel's processes use it, None where their ids
# are not those that the driver knows.
COLUMNS = (
    "used", "util", "memory", "own_memory", "power", "temperature", "energy", "energy_t",
)  # fmt: skip

Value = float | int | None


class Gpu:
    """One GPU over a cell: what was seen since the last time it was asked for."""

    def __init__(self, nvml: "Any", index: int) -> None:
        self.nvml = nvml
        self.index = index
        self.handle = nvml.nvmlDeviceGetHandleByIndex(index)
        name = nvml.nvmlDeviceGetName(self.handle)
        self.name = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
        self.unsupported: set[str] = set()
        self.lost_at: float | None = None
        self.memory_bytes = self.ask("memory", lambda: self._memory().total) or 0
        self.used: int | None = None
        self.own: int | None = None
        self.energy = 0.0
        self.powered: tuple[float, float] | None = None
        self.seen: dict[str, list[float | int]] = {}

    def begin(self) -> None:
        """Forget what was seen in an earlier cell."""
        self.used = self.own = self.powered = None
        self.energy = 0.0
        self.seen = {}

    def look(self, now: float) -> None:
        """See how it is."""
        nvml, handle = self.nvml, self.handle
        self.note("util", lambda: nvml.nvmlDeviceGetUtilizationRates(handle).gpu)
        self.note("memory", lambda: self._memory().used)
        self.note("temperature", lambda: nvml.nvmlDeviceGetTemperature(handle, 0))
        power = self.note("power", lambda: nvml.nvmlDeviceGetPowerUsage(handle) / 1000)
        counted = self.note(
            "energy", lambda: nvml.nvmlDeviceGetTotalEnergyConsumption(handle) / 1000
        )
        if "energy" in self.unsupported and power is not None:
            if self.powered:
                self.energy += (now - self.powered[0]) * (power + self.powered[1]) / 2
            self.powered = now, power
            self.seen |= {"energy": [self.energy], "energy_t": [now]}
        elif counted is not None:
            self.seen |= {"energy": [counted], "energy_t": [time.monotonic()]}

    def processes(self) -> dict[int, int | None] | None:
        """Return the memory of each process that uses it, by process id; None if nobody tells."""
        found: dict[int, int | None] = {}
        for kind in ("Compute", "Graphics"):
            name = f"nvmlDeviceGet{kind}RunningProcesses"
            # The plain one is the newest, which an older driver does not have.
            answers = (self.ask_of(f"{name}{version}") for version in ("", "_v2"))
            answer = next((one for one in answers if one is not None), None)
            if answer is None and kind == "Compute":
                return None
            found |= {one.pid: one.usedGpuMemory for one in answer or ()}
        return found

    def ask_of(self, name: str) -> "Any":
        """Return the answer of a function about this GPU, or None."""
        function = getattr(self.nvml, name, None)
        return None if function is None else self.ask(name, lambda: function(self.handle))

    def note(self, name: str, ask: "Callable[[], Any]") -> "Any":
        """Keep the answer to a question."""
        value = self.ask(name, ask)
        if value is not None:
            self.seen.setdefault(name, []).append(value)
        return value

    def ask(self, name: str, ask: "Callable[[], Any]") -> "Any":
        """Return the answer to a question, or None: what is not supported is not asked again."""
        nvml = self.nvml
        if self.lost_at is not None or name in self.unsupported:
            return None
        try:
            return ask()
        except Exception as error:  # noqa: BLE001 - not all of pynvml's are NVMLErrors
            code = getattr(error, "value", nvml.NVML_ERROR_NOT_SUPPORTED)
            if code in (nvml.NVML_ERROR_NOT_SUPPORTED, nvml.NVML_ERROR_FUNCTION_NOT_FOUND):
                self.unsupported.add(name)
            elif code in _lost_codes(nvml):
                self.lost_at = time.monotonic()
        return None

    def taken(self) -> list[Value]:
        """Return the values of COLUMNS since the last time: rates as means, the rest highest."""
        seen, self.seen = self.seen, {}
        if self.lost_at is not None:
            return [self.used, *[None] * (len(COLUMNS) - 1)]
        means = {name: _mean(seen.get(name)) for name in ("util", "power")}
        most = {name: max(seen.get(name, ()), default=None) for name in ("memory", "temperature")}
        # A row is written a little after the look: between two looks counts when they were.
        last = {
            name: round(seen[name][-1], 3) if name in seen else None
            for name in ("energy", "energy_t")
        }
        known = {**means, **most, **last}
        return [{"used": self.used, "own_memory": self.own, **known}[name] for name in COLUMNS]

    def _memory(self) -> "Any":
        return self.nvml.nvmlDeviceGetMemoryInfo(self.handle)


def _lost_codes(nvml: "Any") -> "Collection[int]":
    """Return the errors after which a GPU answers no more."""
    names = ("GPU_IS_LOST", "RESET_REQUIRED", "UNINITIALIZED", "DRIVER_NOT_LOADED")
    return [getattr(nvml, f"NVML_ERROR_{name}", -1) for name in names]


def _mean(values: "list[float | int] | None") -> float | None:
    return round(sum(values) / len(values), 3) if values else None
