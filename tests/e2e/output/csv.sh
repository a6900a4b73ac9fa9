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

# A printf() without values is a column of its own.
dtx -q -x format=csv -n 'BEGIN { printf("no values\n"); exit(0); }'
grep -q 'probe,text' "$tmp/out" && grep -q 'no values' "$tmp/out" || fail "a printf() is dropped: $(cat "$tmp/out")"

# csvdir: a table a file, all rows as wide as the head; what did not run is empty, a record in parts is one row; the terminal
# does not get the tables, too. A recording gives the same files.
# truth: tables for other programs | each file of csvdir has one head and rows of its width and types | Python's csv module
program='
	int n;
	tick-10ms { @a["k;\"x\"", 1] = count(); @b["k;\"x\"", 1] = max(3); @m["y"] = avg(5); @q = quantize(9); @ = sum(-4); }
	BEGIN { trace("a,b\"c"); if (!n) { printf("first\n"); } if (n) { trace(n); } printa(@a); system("true"); printf("%s %d\n", "end", 7); }
	tick-10ms /n++ > 1/ { printa(@a, @b); exit(0); }'
"$DTX" -qw -x csvdir="$tmp/dir" --record "$tmp/rec" -n "$program" >"$tmp/out" 2>"$tmp/err" || fail "csvdir: $(cat "$tmp/err")"
if grep -q 'Distribution' "$tmp/out"; then fail "the tables are printed, too: $(cat "$tmp/out")"; fi
python3 - "$tmp/dir" <<'END' || fail "$(head -n 5 "$tmp/dir/"*)"
import csv, os, sys
tables = {}
for name in os.listdir(sys.argv[1]):
    head, *rows = list(csv.reader(open(os.path.join(sys.argv[1], name), newline=""), strict=True))
    assert all(len(row) == len(head) for row in rows), (name, head, rows)
    assert all(row[0].isdigit() for row in rows), (name, rows)
    tables[name] = (head[1:], [row[1:] for row in rows])
assert set(tables) == {"agg.csv", "agg-a.csv", "agg-b.csv", "agg-m.csv", "agg-q.csv", "clause-2.csv"}, tables.keys()
assert tables["clause-2.csv"][0] == ["tid", "cpu", "probe", '"a,b""c"'.replace('""', '\\"'), "text", "n", '"end"', "7"], tables["clause-2.csv"]
assert [row[2:] for row in tables["clause-2.csv"][1]] == [["dtrace:::BEGIN", 'a,b"c', "first\n", "", "end", "7"]], tables["clause-2.csv"]
key = 'k;"x"'
assert all(row[:2] == [key, "1"] and int(row[2]) >= 1 for row in tables["agg-a.csv"][1]) and tables["agg-a.csv"][1], tables["agg-a.csv"]
assert [key, "1", "3"] in tables["agg-b.csv"][1], tables["agg-b.csv"]
assert tables["agg-m.csv"][0][1:] == ["@m", "@m.count", "@m.sum"] and tables["agg-m.csv"][1][-1][:2] == ["y", "5"], tables["agg-m.csv"]
assert [row[:2] for row in tables["agg-q.csv"][1]] == [["8", "15"]], tables["agg-q.csv"]
assert int(tables["agg.csv"][1][-1][0]) < 0, tables["agg.csv"]
END
dtx --replay "$tmp/rec" -x csvdir="$tmp/again"
for name in "$tmp/dir"/*; do
	cmp <(sed 's/^[0-9]*,//' "$name") <(sed 's/^[0-9]*,//' "$tmp/again/${name##*/}") || fail "${name##*/} of a replay differs"
done
"$DTX" -qw -x csvdir=/dev/null/x -n "$program" >"$tmp/out" 2>"$tmp/err" && fail 'a folder that cannot be made'
grep -q 'cannot make the folder /dev/null/x (option csvdir)' "$tmp/err" || fail "$(cat "$tmp/err")"
