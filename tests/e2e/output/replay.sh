#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# --record, --replay: the same text and the same objects, by another user, without this kernel's symbols; files that are cut or lie
# give one clear error, and never a crash; a full disk costs the recording, not the run.
# needs: root jq
. "$(dirname "$0")/../lib.sh"

program='BEGIN
	{
		printf("%s %d\n", "bin\xff", 3); trace(timestamp); stack(); ustack(); sym((uintptr_t)curthread->stack);
		@s[stack()] = count(); @q[pid, "x"] = quantize(8); @avg = avg(3); print(curthread->group_leader);
		tracemem(curthread, 20);
	}
	BEGIN { printa("%d %s %@d\n", @q); normalize(@avg, 3); setopt("quiet"); trace(*(int *)8); }
	BEGIN { exit(3); }'
"$DTX" -x jsonint=string --record "$tmp/rec" -n "$program" >"$tmp/text" 2>"$tmp/said"
[ $? = 3 ] || fail "the run: $(cat "$tmp/said")"

# Without any right: it may not trace, and sees no symbols.
again() { setpriv --bounding-set=-all --inh-caps=-all "$DTX" --replay "$tmp/rec" "$@"; }
setpriv --bounding-set=-all --inh-caps=-all "$DTX" -qn 'BEGIN { exit(0); }' >/dev/null 2>&1 && fail 'it still has rights'
again >"$tmp/out" 2>"$tmp/err" || fail "replay: $(cat "$tmp/err")"
cmp "$tmp/text" "$tmp/out" || fail 'the replayed text differs'
grep -q 'invalid address (0x8)' "$tmp/err" || fail "messages are replayed, too: $(cat "$tmp/err")"
again --format json >"$tmp/out" 2>/dev/null || fail 'replayed as JSON'
tests/output/validate.py "$tmp/out" || fail 'not valid'
same '3' "$(jq -r 'select(.type == "end").status' "$tmp/out")" 'the status of the run'
same "$(uname -r)" "$(jq -r 'select(.type == "begin").kernel' "$tmp/out")" 'the kernel of the run'
# A recording of a replay is as good as the first one.
"$DTX" --replay "$tmp/rec" --record "$tmp/rec2" >/dev/null 2>&1 && "$DTX" --replay "$tmp/rec2" >"$tmp/out" 2>/dev/null
cmp "$tmp/text" "$tmp/out" || fail 'a recording of a replay'

# refuses TEXT: a replay of $tmp/bad is refused so, in one line.
refuses() {
	"$DTX" --replay "$tmp/bad" >"$tmp/out" 2>"$tmp/err"
	local status=$?
	[ $status = 1 ] || fail "status $status: $1"
	same 1 "$(grep -c "$tmp/bad" "$tmp/err")" "one error: $(cat "$tmp/err")"
	grep -q "$1" "$tmp/err" || fail "not '$1': $(cat "$tmp/err")"
}
size=$(stat -c %s "$tmp/rec")
for cut in $((size - 1)) $((size / 2)) 20 9; do head -c $cut "$tmp/rec" >"$tmp/bad"; refuses 'without the end of the run'; done
head -c 5 "$tmp/rec" >"$tmp/bad"; refuses 'is no recording'
echo 'BEGIN { }' >"$tmp/bad"; refuses 'is no recording'
: >"$tmp/bad"; refuses 'is no recording'
{ head -c 8 "$tmp/rec"; printf '\377\377\377\1\377\377\377\1'; } >"$tmp/bad"; refuses 'without the end of the run'
{ head -c 8 "$tmp/rec"; printf '\377\377\377\177\377\377\377\177'; } >"$tmp/bad"; refuses 'is damaged'
for at in 13 60 $((size / 2)) $((size - 30)); do
	cp "$tmp/rec" "$tmp/bad"
	printf '\252\125\252' | dd of="$tmp/bad" bs=1 seek=$at conv=notrunc status=none
	refuses 'is damaged'
done
rm "$tmp/bad"; refuses 'cannot read the recording'

# A full disk: said once, the run goes on; a folder that is not there: nothing begins.
"$DTX" -qn 'BEGIN { trace("goes on"); exit(0); }' --record /dev/full >"$tmp/out" 2>"$tmp/err" && fail 'a full disk is no failure'
grep -q 'cannot write /dev/full (option record): No space left on device; tracing goes on without it' "$tmp/err" || fail "$(cat "$tmp/err")"
same 'goes on' "$(cat "$tmp/out")" 'the run'
"$DTX" -qn 'BEGIN { trace("never"); exit(0); }' --record /nowhere/file >"$tmp/out" 2>"$tmp/err" && fail 'no such folder'
grep -q 'cannot open /nowhere/file (option record): No such file' "$tmp/err" || fail "$(cat "$tmp/err")"
same '' "$(cat "$tmp/out")" 'nothing begins'
