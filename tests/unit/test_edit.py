"""Edits of a call, in the call's own layout."""

import ast
import io
import random
import re
import textwrap
import tokenize

import pytest

from jupyter_mlprof.advise.calls import call_at, called, calls, code
from jupyter_mlprof.advise.cell_source import masked
from jupyter_mlprof.advise.edit import set_arguments
from jupyter_mlprof.advise.loader_call import PARAMETERS
from jupyter_mlprof.model.loader import Span
from jupyter_mlprof.model.source import apply_edits

SET = {"num_workers": "4", "persistent_workers": "True"}


def edited(source, values=None):
    """The source with the arguments set on its first DataLoader call; None when refused."""
    found = next((call, place) for call, place in calls(source) if called(call) == "DataLoader")
    fix = set_arguments(source, *found, values or SET, PARAMETERS)
    return None if fix is None else apply_edits(source, fix.edits)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("DataLoader(ds)", "DataLoader(ds, num_workers=4, persistent_workers=True)"),
        ("DataLoader()", "DataLoader(num_workers=4, persistent_workers=True)"),
        (
            "dl = DataLoader(ds, 32, num_workers=0)  # slow",
            "dl = DataLoader(ds, 32, num_workers=4, persistent_workers=True)  # slow",
        ),
        (
            "DataLoader(ds, 32, True, None, None, 0, collate)",
            "DataLoader(ds, 32, True, None, None, 4, collate, persistent_workers=True)",
        ),
        (
            "DataLoader(ds, num_workers = cfg.n, persistent_workers=False)",
            "DataLoader(ds, num_workers = 4, persistent_workers=True)",
        ),
        (
            "DataLoader(\n    ds,\n    batch_size=32,\n)",
            (
                "DataLoader(\n    ds,\n    batch_size=32,\n"
                "    num_workers=4,\n    persistent_workers=True,\n)"
            ),
        ),
        (
            "DataLoader(\n    ds,  # all of it\n    batch_size=32  # fits\n)",
            (
                "DataLoader(\n    ds,  # all of it\n    batch_size=32,  # fits\n"
                "    num_workers=4,\n    persistent_workers=True\n)"
            ),
        ),
        (
            "DataLoader(\n    ds, batch_size=32,\n    shuffle=True)",
            (
                "DataLoader(\n    ds, batch_size=32,\n    shuffle=True,\n"
                "    num_workers=4,\n    persistent_workers=True)"
            ),
        ),
        (
            "for é in f(DataLoader(ds), desc='😀'): pass",
            "for é in f(DataLoader(ds, num_workers=4, persistent_workers=True), desc='😀'): pass",
        ),
        (
            "s = '😀'; DataLoader(ds)",
            "s = '😀'; DataLoader(ds, num_workers=4, persistent_workers=True)",
        ),
        (
            "%%mlprof -n a\n!ls\nfiles = !ls *.png\nif x:\n    %time y\nDataLoader(ds)",
            (
                "%%mlprof -n a\n!ls\nfiles = !ls *.png\nif x:\n    %time y\n"
                "DataLoader(ds, num_workers=4, persistent_workers=True)"
            ),
        ),
    ],
)
def test_arguments_are_set_in_the_layout_of_the_call(source, expected):
    assert edited(source) == expected


NEW = "num_workers=4, persistent_workers=True"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("DataLoader(\n    # none yet\n)", f"DataLoader(\n    # none yet\n{NEW})"),
        ("DataLoader(ds, )", f"DataLoader(ds, {NEW}, )"),
        ("DataLoader(ds  # all\n)", f"DataLoader(ds, {NEW}  # all\n)"),
        ("DataLoader(ds, 8,  # size\n)", f"DataLoader(ds, 8, {NEW},  # size\n)"),
        ("DataLoader(\n    ds, 8  # size\n)", f"DataLoader(\n    ds, 8, {NEW}  # size\n)"),
        ("DataLoader(ds\n  , 8\n  )", f"DataLoader(ds\n  , 8, {NEW}\n  )"),
        ("DataLoader(ds, f(\n    8,\n))", f"DataLoader(ds, f(\n    8,\n), {NEW})"),
        ("DataLoader(ds, \\\n  8 \\\n)", "DataLoader(ds, \\\n  8,\n  {},\n  {} \\\n)"),
        ("DataLoader(ds, 8 \\\n)", f"DataLoader(ds, 8, {NEW} \\\n)"),
        ("DataLoader(\n    ds,\n    8,)", "DataLoader(\n    ds,\n    8,\n    {},\n    {},)"),
        ("DataLoader(\n\tds,\n\t8\n)", "DataLoader(\n\tds,\n\t8,\n\t{},\n\t{}\n)"),
        (
            "DataLoader(ds,\n           8)  # '('",
            "DataLoader(ds,\n           8,\n           {},\n           {})  # '('",
        ),
        (
            "DataLoader(\n    ds,\n    8  # size, or so\n    # shuffle=True,\n    ,  # odd\n)",
            (
                "DataLoader(\n    ds,\n    8  # size, or so\n    # shuffle=True,\n    ,  # odd\n"
                "    {},\n    {},\n)"
            ),
        ),
        (
            "DataLoader(\n    ds,\n    batch_size=8  # size\n    # shuffle=True,\n)",
            (
                "DataLoader(\n    ds,\n    batch_size=8,  # size\n    {},\n    {}\n"
                "    # shuffle=True,\n)"
            ),
        ),
        ("DataLoader(x for x in y)", f"DataLoader((x for x in y), {NEW})"),
        (
            "DataLoader(\n    x\n    for x in y  # all\n)",
            "DataLoader(\n    (x\n    for x in y),  # all\n    {},\n    {}\n)",
        ),
        ("DataLoader((x for x in y))", f"DataLoader((x for x in y), {NEW})"),
        ("DataLoader(lambda a, b=(1, 2): a)", f"DataLoader(lambda a, b=(1, 2): a, {NEW})"),
        ("DataLoader(DL(a, 8), 9)", f"DataLoader(DL(a, 8), 9, {NEW})"),
        ("fit(f(DataLoader(f(a)), 9), b)", f"fit(f(DataLoader(f(a), {NEW}), 9), b)"),
        (
            """DataLoader('(#,', ")", \'\'\')\n\'\'\')""",
            f"""DataLoader('(#,', ")", \'\'\')\n\'\'\', {NEW})""",
        ),
        ("(torch\n .DataLoader(ds))", f"(torch\n .DataLoader(ds, {NEW}))"),
        ("'😀'\r\nDataLoader(\r\n ds\r\n)", "'😀'\nDataLoader(\n ds,\n {},\n {}\n)"),
        (
            "f(1,DataLoader(ds,num_workers=(  # few\n 0)))",
            "f(1,DataLoader(ds,num_workers=(  # few\n 4), persistent_workers=True))",
        ),
        (
            "DataLoader(ds, num_workers  =  f(0, '('), persistent_workers = not True)",
            "DataLoader(ds, num_workers  =  4, persistent_workers = True)",
        ),
    ],
)
def test_every_layout_is_kept(source, expected):
    assert edited(source) == expected.format(*NEW.split(", "))


@pytest.mark.parametrize("indent", ["    ", "\t", "  "])
@pytest.mark.parametrize(
    "block",
    [
        "def f():",
        "async def f():",
        "class C:",
        "if x:",
        "for x in y:",
        "while x:",
        "with x:",
        "try:\n    x\nfinally:",
        "class C:\n    def f(self):\n        if x:",
    ],
)
def test_a_call_over_many_lines_in_a_block_is_edited(block, indent):
    block = block.replace("    ", indent)
    inner = indent * (1 + block.rpartition("\n")[2].count(indent))
    call = "x = DataLoader(\n{0}ds,  # all\n{0}batch_size=8,\n{1})"
    source = "\n".join([block, textwrap.indent(call.format(indent, ""), inner), "y"])
    expected = call.format(indent, f"{indent}num_workers=4,\n{indent}persistent_workers=True,\n")
    assert edited(source) == "\n".join([block, textwrap.indent(expected, inner), "y"])


@pytest.mark.parametrize(
    "source",
    [
        "DataLoader(*args)",
        "DataLoader(ds, **options)",
        "if x:\n    DataLoader(\n        ds,\n        **options\n    )",
        "DataLoader(ds, num_workers=a(\n  0,  # why\n))",
        "DataLoader(ds, num_workers=(n := 2))",
    ],
)
def test_a_call_whose_arguments_are_in_doubt_is_left_alone(source):
    assert edited(source) is None


def test_a_call_that_is_not_where_it_should_be_is_left_alone():
    ((call, place),) = calls("x = DataLoader(ds)")
    for other in ("xx = DataLoader(ds)", "x = DataLoader(a, b)", "x = len(ds) + (ds)", "", "x\n\n"):
        assert set_arguments(other, call, place, SET, PARAMETERS) is None


def test_what_is_set_already_is_not_edited():
    source = "DataLoader(ds, num_workers=4, persistent_workers = True)"
    ((call, place),) = calls(source)
    fix = set_arguments(source, call, place, SET, PARAMETERS)
    assert fix is not None
    assert fix.edits == ()


def test_the_edits_are_the_smallest():
    source = "DataLoader(ds, 32, True, None, None, 0, collate)"
    ((call, place),) = calls(source)
    fix = set_arguments(source, call, place, SET, PARAMETERS)
    assert fix is not None
    assert [(edit.start, edit.end, edit.text) for edit in fix.edits] == [
        (37, 38, "4"),
        (47, 47, ", persistent_workers=True"),
    ]


def test_a_call_is_found_by_its_span_among_others_on_its_line():
    source = "a, b = DataLoader(train), torch.utils.data.DataLoader(test)"
    found = call_at(source, Span(1, 26, 1, 59), "DataLoader")
    assert found is not None
    assert found[1].column == 26
    assert call_at(source, Span(1, 0, 1, 1), "DataLoader") is None  # two to choose from
    assert call_at("DataLoader(x)", Span(1, 5, 1, 6), "DataLoader") is not None


ALIASES = {
    "torch.utils.data.DataLoader(ds)": True,
    "DL = DataLoader\nDL(ds)": True,
    "A = B = torch.utils.data.DataLoader\nB(ds)": True,
    "DL = DataLoader\nDL = make\nDL(ds)": False,
    "DL = DataLoader if x else make\nDL(ds)": False,
    "DL, n = DataLoader, 1\nDL(ds)": False,
    "def f(DL):\n    DL = DataLoader\n    DL(ds)": False,
    "from torch.utils.data import DataLoader as TL\nTL(ds)": True,
    "from torch.utils.data import Dataset as TL\nTL(ds)": False,
    "from torch.utils import data\ndata.DataLoader(ds)": True,
    "DL = DataLoader\nmodule.DL(ds)": False,
    "class My(DataLoader):\n    x = 1\nMy(ds)": True,
    "class My(DataLoader[int]):\n    x = 1\nclass Our(My): ...\nOur(ds)": True,
    "class My(DataLoader):\n    def __init__(self, n): ...\nMy(ds)": False,
    "class My(DataLoader):\n    if x:\n        __init__ = f\nMy(ds)": False,
    "class My(Mixin, DataLoader): ...\nMy(ds)": False,
    "class My(DataLoader, metaclass=M): ...\nMy(ds)": False,
    "@wrap\nclass My(DataLoader): ...\nMy(ds)": False,
    "class My(Other): ...\nMy(ds)": False,
    "def My(x): return DataLoader(x)\nMy(ds)": False,
    "class My(DataLoader):\n    def __init__(self):\n        super().__init__(ds)": True,
    "class My(Other):\n    def __init__(self):\n        super().__init__(ds)": False,
    "class My(Mixin, DataLoader):\n    def __init__(self):\n        super().__init__(ds)": False,
    "class My(DataLoader):\n  class In:\n    def f(self):\n      super().__init__(ds)": False,
    "super().__init__(ds)": False,
    "make(ds)": False,
    "loaders[0](ds)": False,
    "await x\ntry: ...\nexcept E as make: ...\nmake(ds)": False,
}


@pytest.mark.parametrize(("source", "sure"), ALIASES.items())
def test_what_constructs_a_loader_goes_by_many_names(source, sure):
    place = next(place for call, place in calls(source) if code(call).endswith("(ds)"))
    found = call_at(source, place, "DataLoader")
    assert (found and found[1]) == (place if sure else None)
    found = call_at(source, place, "DataLoader", known=True)
    assert found is not None
    assert found[1] == place


def test_a_call_of_something_else_at_the_span_is_not_swapped_for_a_near_one():
    assert call_at("make(ds), DataLoader(x)", Span(1, 0, 1, 8), "DataLoader") is None


@pytest.mark.parametrize("source", ["%%bash\nDataLoader(x)", "def (:", "x = [" * 5000, "\0"])
def test_what_is_not_python_has_no_calls(source):
    assert list(calls(source)) == []


def test_top_level_await_is_python():
    source = "await go()\nDataLoader(ds)"
    assert edited(source) == "await go()\nDataLoader(ds, num_workers=4, persistent_workers=True)"
    ast.parse(source)


VALUES = (
    "ds", "8", "f(a, b)", "(1)", "[x for x in y]", "lambda a, b=(1, 2): a", "'(,#\\''", "{1: 2}",
    "g(\n  1,  # one\n  *c,\n)", '"""(\n  )#"""', "(x for x in y)", "a if b else c", "'😀é'",
    "x[1:2, ...]", "not a", "f(DL(ds))", "('a'  # a\n 'b')",
)  # fmt: skip
OLD = ("0", "(0)", "(  # few\n 0)", "2 * 3", "")  # of what is replaced
KEYWORDS = ("pin_memory", "num_workers", "généré", "timeout", "persistent_workers")
BLOCKS = ("def f():", "class C:", "if x:", "for _ in x:", "with x:", "try:")
STATEMENTS = ("{}", "x = {}", "x = '😀', {}", "fit(a, {}, b)\n# z", "y = ({}\n)", "with {}: pass")


def random_gap(rng, style, indent):
    """Whitespace inside brackets, with its comments."""
    mark = rng.randrange(10**6)
    line = ("", " ")
    lines = (f"\n{indent}", f"  # c{mark}, (\n{indent}", f"\n{indent}# d{mark})\n\n{indent}")
    return rng.choice({"line": line, "lines": lines, "any": (*line, *lines, " \\\n")}[style])


def random_call(rng, indent):
    """A call of DataLoader with random arguments in a random layout."""
    style = rng.choice(["line", "lines", "any"])
    args = [rng.choice(OLD[:-1] if n == 5 else VALUES) for n in range(rng.randrange(7))]
    for name in rng.sample(KEYWORDS, rng.randrange(5)):
        if name != "num_workers" or len(args) < 6:
            equal = rng.choice(["=", " = ", "= "])
            args.append(name + equal + rng.choice(OLD[:-1] if "_workers" in name else VALUES))
    end = rng.choice(["", ","]) if args else ""
    if len(args) == 1 and rng.random() < 0.3:
        args, end = ["x for x\n in y"], ""
    text = "DataLoader(" + random_gap(rng, style, indent)
    for number, arg in enumerate(args, 1):
        before = random_gap(rng, "any" if style == "any" else "line", indent)
        comma = before + ("," if number < len(args) else end)
        text += arg + comma + random_gap(rng, style, indent)
    return text + ")"


def random_cell(rng):
    """A cell with such a call in random blocks."""
    indent = rng.choice(["    ", "  ", "\t"])
    text = rng.choice(STATEMENTS).format(random_call(rng, indent))
    for _ in range(rng.randrange(4)):
        block = rng.choice(BLOCKS)
        end = "\nfinally: x" if block == "try:" else ""
        text = f"{block}\n{textwrap.indent(text, indent)}{end}"
    return rng.choice(["", "%time x\n"]) + f"s = '😀'  # before\n{text}\ny"


def arguments(source):
    """What the DataLoader call of a cell passes, in order."""
    call = next(
        node
        for node in ast.walk(ast.parse(masked(source) or ""))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "DataLoader"
    )
    given = [("", ast.unparse(value)) for value in call.args]
    return given + [(str(word.arg), ast.unparse(word.value)) for word in call.keywords]


def intended(given):
    """The same with the arguments set."""
    names = [name or PARAMETERS[number] for number, (name, _) in enumerate(given)]
    new = [(name, SET.get(known, value)) for known, (name, value) in zip(names, given, strict=True)]
    return new + [(name, value) for name, value in SET.items() if name not in names]


def comments(source):
    """The comments of a cell, each with the word that begins its line."""
    lines = source.split("\n")
    return [
        (token.string, re.split(r"\W|\d|True", lines[token.start[0] - 1].strip(" \t("))[0])
        for token in tokenize.generate_tokens(io.StringIO(masked(source) or "").readline)
        if token.type == tokenize.COMMENT
    ]


@pytest.mark.parametrize("seed", range(300))
def test_any_layout_is_kept(seed):
    source = random_cell(random.Random(seed))  # noqa: S311 - layouts are no secrets
    found = next((call, place) for call, place in calls(source) if called(call) == "DataLoader")
    fix = set_arguments(source, *found, SET, PARAMETERS)
    assert fix is not None
    units = source.encode("utf-16-le")
    for edit in fix.edits:  # the rest is the same, as apply_edits makes sure
        assert units[2 * edit.start : 2 * edit.end].decode("utf-16-le") in {"", "0", "2 * 3"}
    result = apply_edits(source, fix.edits)
    assert arguments(result) == intended(arguments(source))
    assert comments(result) == comments(source)
    assert edited(source.replace("\n", "\r\n")) == result
