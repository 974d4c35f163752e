"""When each stack ran: gathered, coarsened, and held together with a pruned tree."""

import pytest

from jupyter_mlprof.collect.call_tree import CallTree
from jupyter_mlprof.collect.span_sums import SAMPLES_KEPT, SPANS_MOST, SpanSums
from jupyter_mlprof.model.functions import Flame, Frame, kept_nodes, places, pruned
from jupyter_mlprof.model.spans import Spans, coarsened, on_tree

FRAMES = tuple(Frame(name, "<cell>", 1) for name in "abc")
# a calls b calls c, for 4, 2 and 1 seconds.
TREE = Flame(FRAMES, ((-1, 0, 4.0), (0, 1, 2.0), (1, 2, 1.0)))


def total(spans):
    return sum(seconds for *_, seconds in spans.samples)


def test_a_long_sample_is_shared_among_its_spans():
    sums = SpanSums(step_s=1.0)
    sums.add(0.5, 3.25, 0, frozenset({2}))
    spans = sums.spans([0])
    assert [(span, s) for span, _, _, s in spans.samples] == [(0, 0.5), (1, 1), (2, 1), (3, 0.25)]
    assert spans.line_sets == ((2,),)


def test_spans_grow_longer_with_the_cell():
    sums = SpanSums()
    for tick in range(50 * 600):
        sums.add(tick * 0.02, tick * 0.02 + 0.02, tick % 7, frozenset({tick % 3}))
    spans = sums.spans(range(7))
    assert max(span for span, *_ in spans.samples) < SPANS_MOST
    assert len(spans.samples) <= SAMPLES_KEPT
    assert total(spans) == pytest.approx(600)


def test_more_than_spans_can_part_ends():
    sums = SpanSums()
    for node in range(30_000):
        sums.add(0.0, 0.01, node, frozenset())
    spans = sums.spans(range(30_000))
    assert len(spans.samples) == 30_000  # no span is left to be made longer


def test_the_tree_of_pieces_is_one_by_function():
    tree = CallTree()
    nodes = [tree.add((1, 3), 1.0), tree.add((2, 3), 2.0)]  # two pieces of one cell
    flame, merged = tree.by_function(lambda code: FRAMES[0 if code < 3 else 2])
    assert flame.nodes == ((-1, 0, 3.0), (0, 1, 3.0))
    assert [merged[node] for node in nodes] == [1, 1]


def test_a_pruned_node_gives_its_time_to_its_ancestor():
    kept = kept_nodes(TREE, 1.5)
    place = places(TREE, kept)
    assert pruned(TREE, kept).nodes == ((-1, 0, 4.0), (0, 1, 2.0))
    spans = on_tree(Spans(1.0, ((3,),), ((0, 1, 0, 0.5), (0, 2, 0, 0.25), (1, -1, 0, 1.0))), place)
    assert spans.samples == ((0, 1, 0, 0.75), (1, -1, 0, 1.0))


def test_coarser_spans_keep_their_time():
    spans = Spans(1.0, ((3,),), ((0, 1, 0, 0.5), (1, 1, 0, 0.25), (2, 1, 0, 1.0)))
    assert coarsened(spans, 2) == Spans(2.0, ((3,),), ((0, 1, 0, 0.75), (1, 1, 0, 1.0)))
