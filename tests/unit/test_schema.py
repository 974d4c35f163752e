"""The dataclasses and the wire contract say the same."""

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest

from jupyter_mlprof import model
from jupyter_mlprof.model.codec import to_json
from jupyter_mlprof.model.profile import CellProfile
from tests.samples import profile

SCHEMA = json.loads((Path(model.__file__).with_name("profile.schema.json")).read_text("utf-8"))


def dataclasses_of(kind: Any, found: dict[str, type] | None = None) -> dict[str, type]:
    """All dataclasses that a type reaches, by name."""
    found = {} if found is None else found
    if is_dataclass(kind) and isinstance(kind, type) and kind.__name__ not in found:
        found[kind.__name__] = kind
        for hint in get_type_hints(kind).values():
            dataclasses_of(hint, found)
    for inner in get_args(kind):
        dataclasses_of(inner, found)
    return found


KINDS = dataclasses_of(CellProfile)
DEFINITIONS = {"CellProfile": SCHEMA, **SCHEMA["$defs"]}


def test_each_definition_has_its_dataclass():
    assert KINDS.keys() == DEFINITIONS.keys()


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_fields_agree(name):
    names = {field.name for field in fields(KINDS[name])}
    assert names == DEFINITIONS[name]["properties"].keys()
    assert names == set(DEFINITIONS[name]["required"])


def test_a_profile_is_valid():
    jsonschema.validate(to_json(profile()), SCHEMA)


def test_a_wrong_profile_is_not():
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**to_json(profile()), "outcome": "fine"}, SCHEMA)
