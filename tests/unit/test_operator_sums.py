"""Raw events of torch's profiler, added up."""

from dataclasses import dataclass, field

import pytest

from jupyter_mlprof.collect.operator_sums import dense_kind, operator_sums

MS = 1_000_000


@dataclass
class Event:
    """An event as kineto gives it, times in milliseconds."""

    called: str
    start: float
    length: float
    types: list[str] = field(default_factory=lambda: ["float", "float"])
    dims: list[list[int]] = field(default_factory=lambda: [[8, 4], [4, 2]])
    thread: int = 1
    device: str = "DeviceType.CPU"
    number: int = 0
    linked: int = 0
    kind: str = "cpu_op"
    annotation: bool = False

    def name(self):
        return self.called

    def start_ns(self):
        return int(self.start * MS)

    def duration_ns(self):
        return int(self.length * MS)

    def dtypes(self):
        return self.types

    def shapes(self):
        return self.dims

    def start_thread_id(self):
        return self.thread

    def device_type(self):
        return self.device

    def correlation_id(self):
        return self.number

    def linked_correlation_id(self):
        return self.linked

    def activity_type(self):
        return self.kind

    def is_user_annotation(self):
        return self.annotation


def kernel(length, linked, **changes):
    return Event("gemm", 0, length, [], [], device="DeviceType.CUDA", linked=linked, **changes)


def found(sums, name):
    (one,) = (one for one in sums.table() if one.name == name)
    return one


def test_an_operator_has_the_time_that_those_it_called_have_not():
    sums = operator_sums(
        [
            Event("aten::mm", 1, 6),
            Event("aten::linear", 0, 10),
            Event("aten::t", 0, 1),
            Event("aten::mm", 2, 3, thread=2),
        ]
    )
    assert found(sums, "aten::linear").cpu_s == pytest.approx(0.003)
    mm = found(sums, "aten::mm")
    assert (mm.calls, mm.cpu_s, mm.device_s) == (2, pytest.approx(0.009), None)
    assert (mm.dtype, mm.shapes) == ("float32", "8 x 4, 4 x 2")
    assert sums.cpu_s == pytest.approx(0.013)


def test_calls_of_other_types_and_shapes_are_told_apart():
    half = ["c10::BFloat16", "c10::BFloat16"]
    sums = operator_sums(
        [
            Event("aten::mm", 0, 2),
            Event("aten::mm", 2, 1, half),
            Event("aten::mm", 4, 1, dims=[[9, 4], [4, 2]]),
            Event("aten::copy_", 6, 1, ["c10::BFloat16", "float", "Scalar"], [[8], [8], []]),
        ]
    )
    assert len(sums.table()) == 4
    assert found(sums, "aten::copy_").dtype == "bfloat16, float32"
    dense = [(one.kind, one.dtype, one.calls) for one in sums.dense()]
    assert dense == [("matmul", "float32", 2), ("matmul", "bfloat16", 1)]
    assert sums.dense()[0].busy_s == pytest.approx(0.003)


def test_kernels_count_for_the_operator_that_launched_them():
    sums = operator_sums(
        [
            Event("aten::mm", 0, 0.2, number=7),
            Event("aten::add", 1, 0.1, number=8),
            Event("cudaLaunchKernel", 0, 0.1, [], [], linked=7, kind="cuda_runtime"),
            kernel(5, 7),
            kernel(2, 7),
            kernel(50, 7, annotation=True),
        ]
    )
    assert found(sums, "aten::mm").device_s == pytest.approx(0.007)
    assert found(sums, "aten::add").device_s == 0
    assert sums.device_s == pytest.approx(0.007)
    assert sums.cpu_s == pytest.approx(0.0003)
    assert sums.dense()[0].busy_s == pytest.approx(0.007)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("aten::mm", "matmul"),
        ("aten::addmm", "matmul"),
        ("aten::mkldnn_linear", "matmul"),
        ("aten::mkldnn_convolution", "convolution"),
        ("aten::cudnn_convolution", "convolution"),
        ("aten::_slow_conv2d_forward", "convolution"),
        ("aten::convolution_backward", "convolution"),
        ("aten::_scaled_dot_product_flash_attention_backward", "attention"),
        ("aten::_cudnn_rnn", "recurrent"),
        ("aten::mul", None),
        ("aten::matmul_like_thing", None),
        ("aten::converted", None),
        ("autograd::engine::evaluate_function: MmBackward0", None),
    ],
)
def test_dense_work_is_known_by_the_operator(name, kind):
    assert dense_kind(name) == kind
