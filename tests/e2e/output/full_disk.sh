#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root python3
# where: native
#
# What a full disk leaves: a file that is made at the end is as it was, or not there; one that grows with the run ends with
# something whole, and the message says so.
# attack: a full disk under --stacks, --image, --record, --trace, --perfetto, -o as text, JSON and CSV | a file that was there and is made at once is as it was; a file that grows ends whole; status 1 and a sentence
. "$(dirname "$0")/../lib.sh"

if [ "${1:-}" != inside ]; then
	unshare -m bash "$0" inside 2>"$tmp/said" && exit
	status=$?
	grep -q 'unshare failed' "$tmp/said" && skip 'no mount namespace can be made'
	cat "$tmp/said" >&2
	exit $status
fi
mkdir "$tmp/full"
mount -t tmpfs -o size=256k none "$tmp/full" || skip 'no tmpfs can be mounted'
DTX=$(readlink -f "$DTX") proto=$PWD/runtime/sink/perfetto
trap 'cd /; umount "$tmp/full"; rm -rf "$tmp"' EXIT
cd "$tmp/full" || exit

# fill KILOBYTES: all but so much of the disk is used.
fill() { head -c 1M /dev/zero >filler 2>/dev/null; truncate -s "-${1}K" filler; }
# full WHAT ARGUMENT…: it ends with 1 and says that there is no room, and WHAT.
full() {
	local what=$1
	shift
	timeout 60 "$DTX" "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] || fail "$*: a full disk is no failure: $(cat "$tmp/err")"
	grep -q "No space left on device$what\$" "$tmp/err" || fail "$*: $(cat "$tmp/err")"
}
stacks='BEGIN { @[stack()] = count(); exit(0); }'
long=$(printf 'x%.0s' {1..200})
many="tick-1ms { $(printf "trace(\"$long\"); %.0s" {1..10}) } tick-1ms /++n > 200/ { exit(0); }"

fill 0
full '; no part of it is left' -q --stacks svg=new.svg -n "$stacks"
full '' --image new.image -n "$stacks"
[ -z "$(ls new.* 2>/dev/null)" ] || fail "half a file is left: $(ls -l)"
rm filler
for file in svg pprof image; do echo "old $file" >old.$file; done
fill 0
full '; the file is as it was' -q --stacks svg=old.svg -n "$stacks"
full '' --image old.image -n "$stacks"
for file in svg pprof image; do same "old $file" "$(cat old.$file)" "old.$file is changed"; done

fill 100
full '; tracing goes on without it; the file has what came before' -q --trace line -n "$many"
python3 -c 'import json, sys; n = len(json.load(open("line"))["traceEvents"]); assert n > 20, n' || fail "the time line: $(tail -c 300 line)"
rm line
fill 100
full '; tracing goes on without it; the file has what came before' -q --perfetto line -n "$many"
! command -v protoc >/dev/null || protoc --decode=perfetto.Trace -I "$proto" perfetto.proto <line >/dev/null || fail 'no whole packets'
rm line
fill 40
full '.*; the file has what came before' -q --record recording -n "tick-1ms { $(printf 'trace(rand()); %.0s' {1..60}) } tick-1ms /++n > 200/ { exit(0); }"
"$DTX" --replay recording >"$tmp/out" 2>"$tmp/err"
grep -q 'without the end of the run' "$tmp/err" || fail "the recording: $(cat "$tmp/err")"
rm recording
for format in json csv; do
	fill 30
	full '' -q -o out -x format=$format -n "$many"
	grep -q "cannot write $tmp/full/out: No space" "$tmp/err" || fail "$format: which file is not said: $(cat "$tmp/err")"
	[ "$(tail -c 1 out | od -An -c | tr -d ' ')" = '\n' ] || fail "$format: half a line: $(tail -c 100 out)"
	[ $format != json ] || python3 -c 'import json; [json.loads(l) for l in open("out")]' || fail 'the last object is half'
	rm out
done
fill 0
full '' -l -o list
grep -q "cannot write $tmp/full/list: No space" "$tmp/err" || fail "-l: which file is not said: $(cat "$tmp/err")"
