"""Matrix operators run in float32 where the machine does them faster in 16 bits.

On a CPU that is never guessed: bfloat16 was 0.1 to 0.6 times as fast as float32 on one with
avx512_bf16, 1.7 to 2 times on another. On a GPU it is told by the generation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mlprof.advise.dense_work import capability, stretch_s
from jupyter_mlprof.advise.names_of_torch import torch_name
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.advise.saving import Saving
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Evidence, Finding, Fix
from jupyter_mlprof.model.operators import OperatorWindow
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.model.source import line_at

RULE = "precision/amp"
SHARE_PCT = 30.0  # of the cell; by Amdahl, less would win under a fifth at twice the speed
SPEEDUP = 1.3  # of these operators, casts included
BFLOAT16_FROM = 8.0  # CUDA capability; 7.x has tensor cores for float16 only
TENSOR_CORES_FROM = 7.0
# Casts around them and what a short window shows of a cell; a window by time knows less of it.
KEPT_BY_STEP, KEPT_BY_TIME = 0.7, 0.5


@dataclass(frozen=True, slots=True)
class Faster:
    """How many times as fast the operators would be: at worst, at best, and how that is known."""

    low: float
    high: float
    source: str


# GEMM and convolution with tensor cores against float32 without and with TF32: what is left of
# ratios of 8 and 2 in the data sheets of A100 and T4 in whole operators, roughly. Not measured.
GPU = Faster(1.5, 4.0, "by the GPU's generation, not measured")
GPU_TF32 = Faster(1.1, 1.8, "by the GPU's generation with TF32 on, not measured")


def amp(clues: Clues) -> Sequence[Finding]:
    """Advise autocast where float32 matrix operators fill the cell and 16 bits would pay."""
    window = clues.profile.operator_window
    if window is None or 100 * window.share("float32") < SHARE_PCT:
        return ()
    faster = _faster(clues.profile, window)
    from jupyter_mlprof.advise.autocast import is_decided

    if faster is None or is_decided(clues.source):
        return ()
    saving = _saving(clues.profile, window, faster)
    return (_finding(clues, window, faster, saving),) if saving.is_worth(clues.profile) else ()


def _faster(profile: CellProfile, window: OperatorWindow) -> Faster | None:
    if window.device_s is None:
        speedup = window.bf16_speedup
        if speedup is None or speedup < SPEEDUP:
            return None
        return Faster(speedup, 1.1 * speedup, "measured on this CPU after the cell")
    generation = capability(profile)
    if generation is None or generation < TENSOR_CORES_FROM:
        return None
    tf32 = generation >= BFLOAT16_FROM and window.matmul_precision != "highest"
    return GPU_TF32 if tf32 else GPU


def _saving(profile: CellProfile, window: OperatorWindow, faster: Faster) -> Saving:
    busy_s = stretch_s(profile) * window.share("float32")
    kept = KEPT_BY_STEP if window.steps else KEPT_BY_TIME
    return Saving(kept * busy_s * (1 - 1 / faster.low), busy_s * (1 - 1 / faster.high))


def _finding(clues: Clues, window: OperatorWindow, faster: Faster, saving: Saving) -> Finding:
    profile, dtype = clues.profile, _dtype(clues.profile, window)
    from jupyter_mlprof.advise.autocast import autocast

    fix = autocast(clues, _device(window)) if dtype == "bfloat16" else None
    busy_s = stretch_s(profile) * window.share("float32")
    basis = f"{numbers.seconds(busy_s)} in these operators at the speed-up {faster.source}"
    return Finding(
        rule=RULE,
        kind="precision",
        title=f"Run the model's forward pass and loss in {dtype}",
        line=_line(clues, fix),
        evidence=_evidence(profile, window, faster),
        gain=saving.gain(profile, basis),
        confidence="medium" if window.bf16_speedup else "low",
        costs=_costs(dtype, window),
        fix=fix,
        advice=f"{_cause(window)} {_what(clues, window, dtype, fix)}",
    )


def _dtype(profile: CellProfile, window: OperatorWindow) -> str:
    older = (capability(profile) or 0.0) < BFLOAT16_FROM
    return "float16" if window.device_s is not None and older else "bfloat16"


def _device(window: OperatorWindow) -> str:
    return "cpu" if window.device_s is None else "cuda"


def _line(clues: Clues, fix: Fix | None) -> int | None:
    """Return the first line that the fix changes, else the one with most time."""
    if fix is not None:
        return line_at(clues.source, fix.edits[0].start)
    lines = clues.profile.lines
    return max(lines, key=lambda one: one.wall_s).line if lines else None


def _evidence(profile: CellProfile, window: OperatorWindow, faster: Faster) -> tuple[Evidence, ...]:
    seen = f"share of the {numbers.seconds(window.wall_s)} in which operators were watched"
    share = Evidence("matrix operators in float32", _share_pct(window), "%", SHARE_PCT, seen)
    if window.device_s is None:
        speed = Evidence("bfloat16 here", faster.low, "x", SPEEDUP, f"{faster.source}, with casts")
    else:
        needed = "tensor cores: 7.0 for float16, 8.0 for bfloat16"
        speed = Evidence("CUDA capability", capability(profile), "", TENSOR_CORES_FROM, needed)
    return share, speed


def _share_pct(window: OperatorWindow) -> float:
    return 100 * window.share("float32")


def _cause(window: OperatorWindow) -> str:
    ones = [one for one in window.dense if one.dtype == "float32"]
    kinds = " and ".join(dict.fromkeys(one.kind for one in ones[:2]))
    share = numbers.percent(_share_pct(window))
    if window.device_s is None:
        fast = numbers.ratio(window.bf16_speedup)
        return (
            f"{share} of the time goes into {kinds} in float32; this CPU did them {fast} as fast"
            " in bfloat16."
        )
    return (
        f"{share} of the time the GPU does {kinds} in float32, without its tensor cores' 16 bits."
    )


def _what(clues: Clues, window: OperatorWindow, dtype: str, fix: Fix | None) -> str:
    torch = torch_name(clues) or "torch"
    device = _device(window)
    if fix is not None:
        return "Autocast chooses the operators; backward() and the optimizer stay outside."
    text = (
        f'Run forward pass and loss, and only these, under `with {torch}.autocast("{device}",'
        f" dtype={torch}.{dtype}):`, and call .float() on what goes to NumPy."
    )
    if dtype == "float16":
        text += (
            f" In training make scaler = {torch}.amp.GradScaler() once, and call"
            " scaler.scale(loss).backward(), scaler.unscale_(optimizer) before any clipping,"
            " scaler.step(optimizer) and scaler.update()."
        )
    return text


def _costs(dtype: str, window: OperatorWindow) -> tuple[str, ...]:
    digits = "about 3" if dtype == "float16" else "2 to 3"
    kept = f"{dtype} keeps {digits} significant digits where float32 keeps 7"
    costs = [
        f"{kept}: results differ from the third on; weights and optimizer stay float32",
        f"what the model returns is {dtype} outside of the block too",
    ]
    if window.device_s is not None:
        costs.append("little or nothing is won where kernels are small")
    return tuple(costs)
