#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# format=json and format=csv on a full disk and to a reader that goes away; probes, keys and names with quotes and line ends.
# needs: root jq python3
. "$(dirname "$0")/../lib.sh"

for format in json csv; do
	"$DTX" -q -x format=$format -n 'BEGIN { trace(1); } tick-10ms { trace(2); }' >/dev/full 2>"$tmp/err"
	[ $? = 1 ] || fail "$format: a full disk is no failure"
	same 1 "$(wc -l <"$tmp/err")" "$format: $(cat "$tmp/err")"
	grep -q 'cannot write the output: No space left on device' "$tmp/err" || fail "$format: $(cat "$tmp/err")"
	# The reader takes one line and goes: the run ends, without an error.
	timeout 20 "$DTX" -q -x format=$format -n 'tick-10ms { trace(2); }' 2>"$tmp/err" | head -n 1 >"$tmp/out"
	[ "${PIPESTATUS[0]}" = 0 ] || fail "$format: the reader went: $(cat "$tmp/err")"
	[ ! -s "$tmp/err" ] || fail "$format: the reader went: $(cat "$tmp/err")"
done

# A script whose name and text have quotes and line ends; keys of binary bytes.
printf 'BEGIN\n{\n\t@["a\\"b\\n", "\\001\\377"] = sum(1);\n\ttrace(\n\t\t1 +   /* "two" */ 2);\n\texit(0);\n}\n' >"$tmp/a \"b\".d"
dtx -q -x format=json -s "$tmp/a \"b\".d"
tests/output/validate.py "$tmp/out" || fail 'not valid'
same '["a\"b\n",{"hex":"01ff"}]' "$(jq -c 'select(.type == "row") | [.keys[]]' "$tmp/out")" 'keys'
same '{"1 + 2":3}' "$(jq -c 'select(.type == "record").data[0].values' "$tmp/out")" 'the name of an expression over several lines'
same true "$(jq 'select(.type == "begin") | .sites[0].file | endswith("a \"b\".d")' "$tmp/out")" 'the name of the script'
