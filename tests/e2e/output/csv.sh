#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# format=csv: a table for each aggregation, keys as columns, fields quoted as RFC 4180 has it; read by Python's csv module.
# needs: root python3
. "$(dirname "$0")/../lib.sh"

dtx -q -x format=csv -n '
	BEGIN
	{
		trace("a,\"b\"\nc"); trace(-3); trace("bytes \xff");
		@n["x y", 1] = count(); @a["x y", 1] = avg(4); @a["x y", 1] = avg(6);
		@q["k"] = quantize(-8); @q["k"] = quantize(9);
		printa(@n, @a); printa(@n, @a);
	}
	BEGIN { exit(0); }'
python3 - "$tmp/out" <<'END' || fail "$(cat -A "$tmp/out")"
import csv, sys
text = open(sys.argv[1], encoding="utf-8", newline="").read()
assert text.replace('"b""\nc', "").count("\n") == text.count("\r\n"), "lines end in CR LF"
tables = [list(csv.reader(part.splitlines(keepends=True), strict=True)) for part in text.split("\r\n\r\n")]
by_head = {}
for head, *rows in tables:
    assert all(len(row) == len(head) for row in rows), (head, rows)
    assert rows and all(row[0].isdigit() for row in rows), rows
    by_head[tuple(head)] = [row[1:] for row in rows if row]
want = {
    ("time", '"x y"', "1", "@n", "@a", "@a.count", "@a.sum"): [["x y", "1", "1", "5", "2", "10"]] * 2,
    ("time", '"k"', "low", "high", "@q"): [["k", "-15", "-8", "1"], ["k", "8", "15", "1"]],
}
record = [rows for head, rows in by_head.items() if head[:4] == ("time", "tid", "cpu", "probe")]
assert record[0][0][2:] == ["dtrace:::BEGIN", 'a,"b"\nc', "-3", "bytes \\xff"], record
for head, rows in want.items():
    assert by_head.get(head) == rows, (head, by_head)
END
