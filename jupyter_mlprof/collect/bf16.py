"""How much faster this CPU does the float32 matrix operators of a cell in bfloat16.

Measured after the cell, on the dearest shapes, since neither flags nor tables tell: products of
256 x 768 matrices were 0.6 times as fast on one CPU with avx512_bf16 and 1.7 times on another.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jupyter_mlprof.collect import cgroups
from jupyter_mlprof.collect.operator_sums import Shapes, Sum

# Without one of these in /proc/cpuinfo bfloat16 is emulated.
FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})
SHARE_WORTH = 0.2  # of the time of the window
SHAPES_MEASURED = 4
PAIRS, PAIRS_OF_LONG = 3, 2
LONG_S = 0.005
# In any case, however long the cell was; of what is left of the budget, since times vary.
MOST_CPU_S = 0.5
SHARE_OF_ROOM = 0.7
MOST_BYTES = 128 << 20
# Cut to fewer rows, casting the weights weighs more, and the product seems to win less.
LEAST_OF_ROWS = 1 / 4
# Small operators were 0.2 to 0.5 times as fast in bfloat16, casts included.
SMALL = 0.4
COVERED = 0.5  # of the time must be measured, or be like what was

Call = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Trial:
    """An operator to be measured: its tensors, and the seconds that a call of it took."""

    of: Sum
    shapes: Shapes
    call_s: float

    @property
    def pairs(self) -> int:
        """How often both ways are measured: the first time makes ready."""
        return PAIRS_OF_LONG if self.call_s > LONG_S else PAIRS

    @property
    def cpu_s(self) -> float:
        """CPU seconds that measuring takes when bfloat16 is no slower."""
        threads = int(sys.modules["torch"].get_num_threads())
        return 2 * self.pairs * self.call_s * threads

    def within(self, room_s: float) -> "Trial | None":
        """Return what fits into so many CPU seconds, with fewer rows if need be."""
        part = room_s / max(self.cpu_s, 1e-9)
        if part >= 1:
            return self
        first, *others = self.shapes
        rows = int(first[0] * part)
        if rows < max(1, LEAST_OF_ROWS * first[0]):
            return None
        if len(first) > 2 and self.of.kind == "matmul":  # noqa: PLR2004 - batches on both sides
            others = [(rows, *one[1:]) for one in others]
        return replace(self, shapes=((rows, *first[1:]), *others), call_s=self.call_s * part)


def bf16_speedup(sums: Sequence[Sum], window_s: float, room_s: float) -> float | None:
    """Return how many times as fast all float32 matrix operators would be; None if unknown.

    `room_s` are the CPU seconds that measuring may take.
    """
    dense = [one for one in sums if one.kind and one.dtype == "float32" and one.calls]
    whole_s = sum(one.cpu_s for one in dense)
    if whole_s < SHARE_WORTH * window_s or not supported():
        return None
    room = min(SHARE_OF_ROOM * room_s, MOST_CPU_S)
    measured = _measured(sorted(dense, key=lambda one: -one.cpu_s), room)
    if not measured:
        return None
    ratios = [_ratio(one, measured) for one in dense]
    known_s = sum(one.cpu_s for one, ratio in zip(dense, ratios, strict=True) if ratio)
    if known_s < COVERED * whole_s:
        return None
    new_s = sum(one.cpu_s / (ratio or SMALL) for one, ratio in zip(dense, ratios, strict=True))
    return whole_s / new_s


def supported() -> bool:
    """Tell whether this CPU has instructions for bfloat16."""
    for line in cgroups.text("/proc/cpuinfo").splitlines():
        name, _, flags = line.partition(":")
        if name.strip() in {"flags", "Features"}:
            return bool(FLAGS & set(flags.split()))
    return False


def _measured(dense: Sequence[Sum], room_s: float) -> Sequence[tuple[Sum, float]]:
    """Measure the dearest operators as far as the room goes."""
    found: list[tuple[Sum, float]] = []
    for one in dense:
        trial = _trial(one)
        trial = trial and trial.within(room_s)
        if trial is None:
            continue
        begun = time.process_time()
        found.append((one, _speedup(trial)))
        room_s -= time.process_time() - begun
        if len(found) == SHAPES_MEASURED:
            break
    return found


def _trial(one: Sum) -> Trial | None:
    """Return how to measure an operator, or None where its shapes do not tell that."""
    name, shapes = one.name.rpartition("::")[2], one.shapes
    if one.kind == "matmul":
        used = shapes[1:3] if name in {"addmm", "baddbmm"} else shapes[:2]
        usual = len(used) == 2 and all(len(one) in {2, 3} for one in used)  # noqa: PLR2004
        if not usual or name.endswith("linear") or used[0][-1] != used[1][-2]:
            return None
    elif "backward" in name or one.kind == "recurrent":
        return None
    elif one.kind == "convolution":
        used = shapes[:2]
        plain = len(used) == 2 and len(used[0]) == len(used[1]) in {3, 4, 5}  # noqa: PLR2004
        if not plain or "transpose" in name or used[0][1] % max(1, used[1][1]):
            return None
    else:
        used = shapes[:3]
        if len(used) != 3 or any(len(one) != 4 for one in used):  # noqa: PLR2004
            return None
    elements = sum(_elements(shape) for shape in used)
    if not all(_elements(shape) for shape in used) or 4 * elements > MOST_BYTES:
        return None
    return Trial(one, used, one.cpu_s / one.calls)


def _elements(shape: Sequence[int]) -> int:
    product = 1
    for size in shape:
        product *= size
    return product


def _speedup(trial: Trial) -> float:
    """Return the seconds in float32 over those under autocast, the best of some pairs."""
    torch: Any = sys.modules["torch"]
    tensors = [torch.ones(one, dtype=torch.float32, device="cpu") for one in trial.shapes]
    call = _call(torch, trial)
    plain, cast = float("inf"), float("inf")
    with torch.inference_mode():
        for _ in range(trial.pairs):
            with torch.autocast("cpu", enabled=False):
                plain = min(plain, _seconds(call, tensors))
            with torch.autocast("cpu", dtype=torch.bfloat16):
                cast = min(cast, _seconds(call, tensors))
    return plain / cast


def _seconds(call: Call, tensors: Sequence[Any]) -> float:
    begun = time.perf_counter()
    call(*tensors)
    return time.perf_counter() - begun


def _call(torch: Any, trial: Trial) -> Call:
    if trial.of.kind == "matmul":
        return torch.matmul  # type: ignore[no-any-return]
    functional = torch.nn.functional
    if trial.of.kind == "attention":
        return functional.scaled_dot_product_attention  # type: ignore[no-any-return]
    inputs, weight = trial.shapes
    convolve = getattr(functional, f"conv{len(weight) - 2}d")
    return lambda x, w: convolve(
        x, w, padding=[size // 2 for size in weight[2:]], groups=inputs[1] // weight[1]
    )


def _ratio(one: Sum, measured: Sequence[tuple[Sum, float]]) -> float | None:
    """Return the speed-up of an operator: its own, or the least of the same kind and no shorter."""
    for other, ratio in measured:
        if other is one:
            return ratio
    each_s = one.cpu_s / one.calls
    alike = [
        ratio
        for other, ratio in measured
        if other.kind == one.kind and 2 * each_s >= other.cpu_s / other.calls
    ]
    return min(alike, default=None)
