"""Sums over the raw events of a window: operators, and dense work by dtype.

Raw, since building torch's own tables costs twenty times as much.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jupyter_mlprof.model.operators import DenseKind, DenseTime, OperatorTime

OPERATORS_KEPT = 40
SHAPE_LENGTH = 80
# How kineto writes C++ types, and how users of torch know them.
DTYPES = {
    "float": "float32",
    "double": "float64",
    "c10::Half": "float16",
    "c10::BFloat16": "bfloat16",
    "c10::complex<float>": "complex64",
    "c10::complex<double>": "complex128",
    "signed char": "int8",
    "unsigned char": "uint8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "long int": "int64",
    "bool": "bool",
}
DENSE: tuple[tuple[DenseKind, re.Pattern[str]], ...] = (
    ("attention", re.compile(r"scaled_dot_product|_(flash|efficient)_attention")),
    ("convolution", re.compile(r"::\w*(convolution|conv\d?d|conv_transpose\dd)")),
    ("recurrent", re.compile(r"::\w*(_rnn|mkldnn_rnn_layer)")),
    ("matmul", re.compile(r"::(mm|addmm|bmm|baddbmm|\w*_linear|_addmm_activation|_scaled_mm)$")),
)
Shapes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Operator:
    """One call of an operator; times in seconds, `self_s` without those it called."""

    name: str
    dtype: str
    shapes: Shapes
    self_s: float
    device_s: float | None = None


@dataclass(slots=True)
class Sum:
    """Calls of an operator with the same dtype and shapes."""

    name: str
    dtype: str
    shapes: Shapes
    calls: int = 0
    cpu_s: float = 0.0
    device_s: float | None = None

    def add(self, one: Operator) -> None:
        """Count a call."""
        self.calls += 1
        self.cpu_s += one.self_s
        if one.device_s is not None:
            self.device_s = (self.device_s or 0.0) + one.device_s

    @property
    def busy_s(self) -> float:
        """Seconds where the work is done."""
        return self.cpu_s if self.device_s is None else self.device_s

    @property
    def kind(self) -> DenseKind | None:
        """Return which kind of dense work it is, if any."""
        return dense_kind(self.name)


@dataclass(slots=True)
class _Open:
    """A call that has not ended yet, among those of its thread."""

    event: Any
    end: int
    inside: int = 0


@dataclass
class OperatorSums:
    """All operators of a window, the dearest first."""

    sums: Sequence[Sum]
    on_device: bool

    @property
    def cpu_s(self) -> float:
        """Seconds of all operators."""
        return sum(one.cpu_s for one in self.sums)

    @property
    def device_s(self) -> float | None:
        """Seconds of all kernels, or None without a device."""
        return sum(one.device_s or 0.0 for one in self.sums) if self.on_device else None

    def table(self) -> tuple[OperatorTime, ...]:
        """Return the dearest operators."""
        return tuple(
            OperatorTime(
                one.name, None, one.calls, one.cpu_s, one.device_s, shown(one.shapes), one.dtype
            )
            for one in self.sums[:OPERATORS_KEPT]
        )

    def dense(self) -> tuple[DenseTime, ...]:
        """Return the dense work by kind and dtype, most time first."""
        kinds: dict[tuple[DenseKind, str], list[Sum]] = defaultdict(list)
        for one in self.sums:
            if (kind := one.kind) is not None:
                kinds[kind, one.dtype].append(one)
        found = [
            DenseTime(
                kind,
                dtype,
                sum(one.calls for one in ones),
                sum(one.cpu_s for one in ones),
                sum(one.device_s or 0.0 for one in ones) if self.on_device else None,
            )
            for (kind, dtype), ones in kinds.items()
        ]
        return tuple(sorted(found, key=lambda one: -one.busy_s))


def operator_sums(events: Iterable[Any]) -> OperatorSums:
    """Add up kineto's events."""
    on_cpu: list[Any] = []
    kernels: dict[int, float] = defaultdict(float)
    for event in events:
        if _on_cpu(event):
            if str(event.name()).startswith(("aten::", "autograd::")) or _is_operator(event):
                on_cpu.append(event)
        elif not _is_copy_of_annotation(event):
            kernels[event.linked_correlation_id()] += event.duration_ns() / 1e9
    sums: dict[tuple[str, str, Shapes], Sum] = {}
    for one in operators(on_cpu, kernels or None):
        key = (one.name, one.dtype, one.shapes)
        sums.setdefault(key, Sum(*key)).add(one)
    ranked = sorted(sums.values(), key=lambda one: (-(one.device_s or 0.0), -one.cpu_s))
    return OperatorSums(ranked, bool(kernels))


def operators(events: Iterable[Any], kernels: dict[int, float] | None) -> Iterator[Operator]:
    """Yield the calls with their own time: what they called, on the same thread, is theirs not."""
    threads: dict[int, list[_Open]] = defaultdict(list)
    for event in sorted(events, key=lambda one: (one.start_ns(), -one.duration_ns())):
        calls = threads[event.start_thread_id()]
        start, duration = event.start_ns(), event.duration_ns()
        while calls and calls[-1].end <= start:
            yield _operator(calls.pop(), kernels)
        if calls:
            calls[-1].inside += duration
        calls.append(_Open(event, start + duration))
    for calls in threads.values():
        while calls:
            yield _operator(calls.pop(), kernels)


def _operator(call: _Open, kernels: dict[int, float] | None) -> Operator:
    event = call.event
    types = event.dtypes()
    tensors = [
        (DTYPES[kind], tuple(shape))
        for kind, shape in zip(types, event.shapes(), strict=False)
        if kind in DTYPES
    ]
    dtypes = dict.fromkeys(dtype for dtype, _ in tensors)
    return Operator(
        event.name(),
        ", ".join(dtypes),
        tuple(shape for _, shape in tensors),
        max(0, event.duration_ns() - call.inside) / 1e9,
        None if kernels is None else kernels.get(event.correlation_id(), 0.0),
    )


def dense_kind(name: str) -> DenseKind | None:
    """Return which kind of dense work an operator does, if any."""
    return next((kind for kind, pattern in DENSE if pattern.search(name)), None)


def shown(shapes: Shapes) -> str:
    """Return shapes as people write them: 256 x 2048, 2048 x 10."""
    text = ", ".join(" x ".join(map(str, shape)) for shape in shapes if shape)
    return text if len(text) <= SHAPE_LENGTH else f"{text[:SHAPE_LENGTH]}..."


def _on_cpu(event: Any) -> bool:
    return str(event.device_type()).endswith("CPU")


def _is_operator(event: Any) -> bool:
    """Tell an operator of somebody's own from calls of the CUDA runtime and from annotations."""
    kind = getattr(event, "activity_type", None)
    return kind is not None and kind() == "cpu_op"


def _is_copy_of_annotation(event: Any) -> bool:
    """Tell an annotation, which kineto shows on the GPU too, from a kernel."""
    annotation = getattr(event, "is_user_annotation", None)
    return annotation is not None and annotation()
