"""What variables hold, without running code of the user's."""

import collections
import sys
import time
import types

import numpy as np
import pytest

from jupyter_mlprof.collect.namespace import HOLDERS_KEPT, described, holders
from jupyter_mlprof.collect.object_size import Sizes

MB = 1_000_000


def held(**variables):
    """Bytes by variable, with all the time that is needed."""
    found = holders(variables, Sizes(time.monotonic() + 60))
    assert list(found) == sorted(found, key=lambda one: -one.bytes)
    return {one.name: one.bytes for one in found}


def array(megabytes=1):
    return np.ones(megabytes * MB // 8)


class Data:
    def __init__(self):
        self.images, self.labels = array(4), array(1)


class Hostile:
    """Everything that could be asked of it fails, or would show that it was asked."""

    asked = 0

    def __getattribute__(self, name):
        Hostile.asked += 1
        raise RuntimeError(name)

    __len__ = __iter__ = __sizeof__ = __eq__ = __repr__ = __getattribute__  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


class HostileList(list):
    def __iter__(self):
        raise RuntimeError

    __len__ = __getitem__ = __sizeof__ = __iter__  # type: ignore[assignment]


def test_views_count_once():
    whole = array(8)
    assert held(whole=whole, half=whole[: whole.size // 2], shape=whole.reshape(10, -1)) == {
        "whole": 8 * MB
    }


def test_a_container_holds_its_items():
    found = held(batches=[array(2) for _ in range(5)], by_name={"x": array(3)})
    assert found["batches"] == pytest.approx(10 * MB, rel=0.01)
    assert found["by_name"] == pytest.approx(3 * MB, rel=0.01)


def test_a_long_list_is_taken_by_a_part_of_it():
    words = ["x" * 100 + str(number) for number in range(200_000)]
    real = sys.getsizeof(words) + sum(map(sys.getsizeof, words))
    assert held(words=words)["words"] == pytest.approx(real, rel=0.1)


def test_what_is_a_variable_itself_is_not_its_holders():
    images = array(4)
    data = Data()
    data.images = images
    assert held(data=data, images=images) == {"images": 4 * MB, "data": pytest.approx(MB, rel=0.1)}


def test_objects_hold_their_attributes_and_cycles_end():
    data = Data()
    vars(data)["itself"] = [data]
    assert held(data=data)["data"] == pytest.approx(5 * MB, rel=0.01)


def test_results_that_were_displayed_are_named():
    shown = array(2)
    assert held(Out={1: shown, 2: array(3)}, shown=shown, _1=shown, _=shown) == {
        "Out": pytest.approx(3 * MB, rel=0.01),
        "shown": 2 * MB,
    }


def test_modules_and_functions_hold_nothing_of_note():
    module = types.ModuleType("heavy")
    vars(module)["data"] = array()
    assert held(module=module, function=held, kind=Data, np=np) == {}


def test_nothing_of_the_users_is_run():
    hostile = HostileList([array()])
    found = held(one=Hostile(), several=[Hostile()], mine=hostile)
    assert Hostile.asked == 0
    assert found["mine"] == pytest.approx(MB, rel=0.01)


def test_a_file_that_is_mapped_is_not_memory(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"0" * MB)
    assert held(mapped=np.memmap(path, mode="r")) == {}


def test_time_is_bounded_and_arrays_come_first():
    nested = [[{"n": [str(i)]} for i in range(500)] for _ in range(200)]
    sizes = Sizes(time.monotonic() + 0.005)
    found = holders({"nested": nested, "last": array()}, sizes)
    assert sizes.cut
    assert "last" in [one.name for one in found]


def test_the_largest_are_kept():
    found = held(**{f"v{number}": array(number) for number in range(1, 30)})
    assert len(found) == HOLDERS_KEPT
    assert "v29" in found
    assert "v1" not in found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros((2, 3), "float32"), "ndarray 2 x 3 float32"),
        ([1, 2], "list of 2"),
        ({"a": 1}, "dict of 1"),
        (collections.OrderedDict(a=1), "OrderedDict of 1"),
        (Data(), "Data"),
    ],
)
def test_a_value_is_described(value, text):
    assert described(value) == text
