#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Several -c and -p: the first is $target, tracing ends with the last of them, -p counts what any of
# them does and nobody else, a command that dtx ends before is killed, one that -p named lives on.
# needs: root
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"; kill $(jobs -p) 2>/dev/null || :' EXIT
failed=0
export dir

same() {
	if [ "$2" != "$3" ]; then echo "$1: '$2', not '$3'"; failed=1; fi
}

# Ends when it reads a line from the pipe, and tells that it lives.
waiter() {
	mkfifo "$dir/$1" && ln -s "$(command -v dd)" "$dir/dd$1"
	"$dir/dd$1" bs=1 count=1 if="$dir/$1" of=/dev/null status=none &
	pid=$!
}

# The end is that of the last one, which waits until the first one's was seen; the first one is $target.
mkfifo "$dir/last"
got=$(timeout 20 "$DTX" -wqn 'proc:::exit /pid == $target/ { printf("first "); system("echo >%s/last", $$1); }
	END { printf("%d\n", $target); }' \
	-c "touch $dir/first" -c "dd bs=1 count=1 if=$dir/last of=$dir/read status=none" "$dir")
case $got in
"first "[1-9]*) ;;
*) echo "two commands: '$got'"; failed=1 ;;
esac
[ -s "$dir/read" ] || failed=1

# -p twice: both count, a third does not.
waiter a; a=$pid
waiter b; b=$pid
waiter c
timeout 20 "$DTX" -q -o "$dir/out" -p $a -p $b -wn 'BEGIN { system("echo x >%s/c; echo x >%s/a; echo x >%s/b", $$1, $$1, $$1); }
	syscall::read:return /arg0 == 1/ { @[execname, pid == $target] = count(); }' -x aggsortkey "$dir" || failed=1
same "two processes" "$(tr -s ' \n' ' ' <"$dir/out")" " dda 1 1 ddb 0 1 "

# exit() ends a command, and lets a process be.
waiter d
got=$("$DTX" -qn 'tick-10ms { exit(3); }' -c "sleep 1000$$" -p $pid || echo $?)
same "status" "$(echo $got)" 3
pgrep -f "sleep 1000$$" >/dev/null && echo "the command lives on" && failed=1
kill -0 $pid || failed=1
echo >"$dir/d"
exit $failed
