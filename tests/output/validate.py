#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""validate.py FILE...: each line is an object of docs/output.schema.json, and the files are whole: begin first, end last."""
import json
import os
import sys

from jsonschema import Draft202012Validator

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
with open(os.path.join(root, "docs", "output.schema.json"), encoding="utf-8") as f:
    schema = json.load(f)
Draft202012Validator.check_schema(schema)
by_type = {}


def validator(kind):
    """Of the objects of one type: a clearer message than that of oneOf."""
    if kind not in by_type:
        part = {"$ref": "#/$defs/" + kind, "$defs": schema["$defs"]}
        by_type[kind] = Draft202012Validator(part)
    return by_type[kind]


def problems(lines):
    """What is wrong in the lines of a run."""
    kinds = []
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except ValueError as why:
            yield f"line {number}: {why}: {line[:200]!r}"
            continue
        kind = value.get("type")
        kinds.append(kind)
        if {"$ref": f"#/$defs/{kind}"} not in schema["oneOf"]:
            yield f"line {number}: no type: {line[:200]!r}"
            continue
        for error in validator(kind).iter_errors(value):
            yield f"line {number}: {error.message}"
    if kinds[:1] != ["begin"] or kinds[-1:] != ["end"]:
        yield f"begins with {kinds[:1]} and ends with {kinds[-1:]}"


def main():
    bad = 0
    for path in sys.argv[1:]:
        with open(path, "rb") as f:
            for problem in problems(f):
                print(f"{path}: {problem}", file=sys.stderr)
                bad = 1
    sys.exit(bad)


if __name__ == "__main__":
    main()
