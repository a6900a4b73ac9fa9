#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# format=json: objects that a validator accepts and jq reads: values by name, aggregations, histograms, faults, losses, the end.
# needs: root jq
. "$(dirname "$0")/../lib.sh"
check=tests/output/validate.py

# ask FILTER: what jq makes of the run, a line each.
ask() { jq -rc "$1" "$tmp/out"; }
valid() { "$check" "$tmp/out" || fail "not valid"; }

dtx -q --format json -n '
	BEGIN
	{
		self->since = timestamp;
		printf("%s \"%d\"\n", "a\tb", 3);
		trace(3); trace(-1); trace((uint64_t)-1);
		trace("bytes \xff end"); trace("\"quoted\" \\ and \303\251");
	}
	BEGIN
	{
		@n["one", 1] = count(); @n["one", 1] = count(); @n["two\nlines", 2] = count();
		@avg = avg(2); @avg = avg(5);
		@q = quantize(-1); @q = quantize(9); @q = quantize(15);
		@l = lquantize(7, 0, 100, 10); @l = lquantize(500, 0, 100, 10);
		@t[execname] = sum((timestamp - self->since) / 1000);
	}
	BEGIN { trace(*(int *)8); }
	BEGIN { printa("%s %d %@d\n", @n); normalize(@n, 2); exit(7 - 7); }'
valid
same '{"\"a\\tb\"":"a\tb","3":3}' "$(ask 'select(.type == "record").data[] | select(.action == "printf").values')" 'arguments by name'
same 'a	b "3"' "$(ask 'select(.type == "record").data[] | select(.action == "printf").text' | head -n 1)" 'the text of printf'
same '[3,-1,18446744073709552000,{"hex":"627974657320ff20656e64"},"\"quoted\" \\ and é"]' \
	"$(ask 'select(.clause == 0).data | map(select(.action == "trace").values[])')" 'values of trace'
grep -q '"(uint64_t)-1":18446744073709551615' "$tmp/out" || fail 'a large integer is not written as it is'
same '["one",1,2,"one 1 2\n"] ["two\nlines",2,1,"two\nlines 2 1\n"]' \
	"$(ask 'select(.type == "row" and .text) | [.keys[], .value, .text]' | sort | paste -sd ' ')" 'rows of printa with a format'
same '{"value":3,"count":2,"sum":7,"average":3}' \
	"$(ask 'select(.type == "row" and .aggregation == "@avg") | {value, count, sum, average}')" 'an average'
same '[[-1,-1,1],[8,15,2]]' "$(ask 'select(.aggregation == "@q").buckets | map([.low, .high, .count])')" 'buckets of quantize()'
grep -q '"low":100,"high":9223372036854775807,"count":1' "$tmp/out" || fail 'the last bucket of lquantize()'
same 'us' "$(ask 'select(.type == "begin").aggregations[] | select(.name == "@t").unit')" 'the unit of a difference of times'
same 'invalid address 8 dtrace:::BEGIN' "$(ask 'select(.type == "fault") | "\(.reason) \(.value) \(.probe)"')" 'a fault'
same '[{"count":1,"reason":"FAULT"}]' "$(ask 'select(.type == "account").losses')" 'the account of losses, also with -q'
same '0' "$(ask 'select(.type == "end").status')" 'the end'

# The time of a record is that of its clause, and begin says what it is on the clock.
dtx -q --format json -n 'BEGIN { trace(timestamp); trace(walltimestamp); exit(0); }'
valid
jq -se '.[0] as $b | .[1] | .time == .data[0].values.timestamp and
	((.time - $b.time + $b.wall - .data[1].values.walltimestamp) | fabs) < 1000000000' "$tmp/out" >/dev/null || fail 'times'

# Large integers as strings, on request; an option of the script counts too.
dtx -q -x jsonint=string -n '#pragma D option format=json
	BEGIN { trace((uint64_t)-1); trace(1L << 53); trace((1L << 53) + 1); trace(-(1L << 53) - 1); exit(0); }'
valid
same '["18446744073709551615",9007199254740992,"9007199254740993","-9007199254740993"]' \
	"$(ask 'select(.type == "record").data | map(select(.action == "trace").values[])')" 'integers as strings'

# An image without times has records without times; -x timestamps puts them in.
for option in quiet timestamps; do
	dtx -x $option --image "$tmp/image" -n 'BEGIN { trace(1); exit(0); }'
	dtx -q --format json -r "$tmp/image"
	valid
	same "$([ $option = timestamps ] && echo true || echo false)" "$(ask 'select(.type == "record") | has("time")')" "time with '$option'"
done
