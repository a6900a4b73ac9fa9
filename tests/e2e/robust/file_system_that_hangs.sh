#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# timeout: 60
#
# A traced program lies on a file system that is a program itself (FUSE), which stops to answer: the run goes on without its names, prints what it
# counted, and says why. If only pages of an open file do not come, the same holds, and a signal is answered at once.
. "$(dirname "$0")/../lib.sh"
[ -w /dev/fuse ] || skip 'no /dev/fuse'
[ -z "${DTX_SLOW:-}" ] || skip 'the time is measured'

# the program must make system calls: a shell
mkdir "$tmp/mnt"
"$t/hangfuse" "$tmp/mnt" "$(realpath /bin/sh)" "$tmp/hold" >"$tmp/out" & server=$!
trap 'kill $program $dtx 2>/dev/null; kill $server; umount -l "$tmp/mnt"; rm -rf "$tmp"' EXIT
begun
# Its own pages have come when the file system stops.
"$tmp/mnt/file" -c 'n=0; while :; do kill -0 $$; n=$((n + 1)); [ $n != 9 ] || : >"$0"; done' "$tmp/loops" & program=$!
awaits test -e "$tmp/loops"
touch "$tmp/hold"
# A name that fits no probe is looked for in the programs that run: not in this one.
"$DTX" -en 'nosuch:::probe { }' >"$tmp/typo" 2>&1 &
awaits grep -q 'matches no probe' "$tmp/typo"
"$DTX" -q -n 'syscall::kill:entry /pid == $1/ { @[ustack()] = count(); @n = count(); } tick-1s { exit(0); } END { printa("calls %@u\n", @n); }' "$program" >"$tmp/out" 2>"$tmp/err" & dtx=$!
awaits grep -q 'did not answer' "$tmp/err"
grep -q '^calls [1-9]' "$tmp/out" || fail "nothing was counted: $(cat "$tmp/out")"
grep -q "names in stacks are missing: the file system of $tmp/mnt/file did not answer" "$tmp/err" || fail "it says: $(cat "$tmp/err")"
# The kernel lets a process go whose question was taken when the server answers or ends.
kill "$server"
wait "$dtx" || fail "status $?"
kill "$program"
umount -l "$tmp/mnt"

# The file opens, and its pages do not come. Opening it throws out those that the program runs on: it makes its first call of kill(2) when
# dtx traces, with code that has run before.
rm "$tmp/hold" "$tmp/out"
mkfifo "$tmp/go"
exec 7<>"$tmp/go"
"$t/hangfuse" "$tmp/mnt" "$(realpath /bin/sh)" "$tmp/hold" >"$tmp/out" & server=$!
begun
"$tmp/mnt/file" -c 'n=0; while [ $n != 2 ]; do n=$((n + 1)); kill -0 $$; read x; : >"$0"; done
	while :; do kill -0 $$; done' "$tmp/runs" <&7 & program=$!
echo >&7
awaits test -e "$tmp/runs"
echo pages >"$tmp/hold"
"$DTX" -q -n 'syscall::kill:entry /pid == $1/ { @[ustack()] = count(); } syscall::: { @n = count(); } tick-100ms { printf("ready %d\n", ++n); } END { printa("calls %@u\n", @n); }' \
	"$program" >"$tmp/out" 2>"$tmp/err" & dtx=$!
# asks_pages: does a thread of dtx wait for a page?
asks_pages() { cat "/proc/$dtx"/task/*/stack 2>/dev/null | grep -q fuse_; }
begun 'ready 1'
echo >&7
awaits asks_pages
begun "ready $(($(grep -c ready "$tmp/out") + 20))"      # events go on
kill -TERM "$dtx"
since=$(date +%s%N)
begun '^calls [1-9]'
took=$((($(date +%s%N) - since) / 1000000))
[ "$took" -lt 1500 ] || fail "it answered the signal after $took ms"
kill "$server"
wait "$dtx" || fail "status $?"
exit 0
