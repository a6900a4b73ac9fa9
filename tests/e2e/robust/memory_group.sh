#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc
# where: native
# timeout: 120
#
# In a memory group of 100, 48 or 32 MB a program with keys without end is not killed: maps have the size that fits, the rest is counted.
# attack: a traced program makes keys without end, in a memory group of 100, 48, 32 MB | status 0, counted + drops = firings
# attack: stacks of a machine full of large programs, in a memory group of 100, 48, 32 MB | status 0, memory of the group is not used up
# attack: a description of the machine, in a memory group of 64, 32, 20 MB | it is made, or refused with a sentence
# attack: options, or an image, that ask for maps of more than half of the memory group | refused with a sentence, nobody is killed
. "$(dirname "$0")/../lib.sh"
plain 'a sanitizer needs more memory'

group=
for at in /sys/fs/cgroup/memory /sys/fs/cgroup; do
	for file in memory.limit_in_bytes memory.max; do
		[ -z "$group" ] && [ -e "$at/$file" -o -e "$at/cgroup.subtree_control" ] && mkdir "$at/dtx-test-$$" 2>/dev/null || continue
		if echo 100M >"$at/dtx-test-$$/$file" 2>/dev/null; then group=$at/dtx-test-$$ limit=$group/$file; else rmdir "$at/dtx-test-$$"; fi
	done
done
[ -n "$group" ] || skip 'no memory groups can be made here'
trap 'rm -rf "$tmp"; rmdir "$group" 2>/dev/null' EXIT
cat >"$tmp/keys.c" <<'END'
#include <unistd.h>
#include <sys/syscall.h>
int main(void) { for (long i = 0; i < 300000; i++) syscall(SYS_getpgid, i); return 0; }
END
gcc -O1 -o "$tmp/keys" "$tmp/keys.c" || fail 'gcc'
# in_group ARGUMENT…: dtx in the group; its words and its status.
in_group() { (echo "$BASHPID" >"$group/cgroup.procs" && exec timeout 30 "$DTX" "$@") >"$tmp/out" 2>"$tmp/err"; status=$?; }
keys() {
	local all rows drops
	in_group -qn 'syscall::getpgid:entry /pid == $target/ { @all = count(); @k[arg0, cwd] = count(); @l[arg0, cwd] = quantize(arg0); x[arg0] = 1; }
		END { printa("all %@d\n", @all); printa("row %d %s\n", @k); printa("row %d %s\n", @l); }' -c "$tmp/keys"
	[ $status = 0 ] || fail "$size: it ended with $status: $(tail -n 5 "$tmp/err")"
	all=$(sed -n 's/^all //p' "$tmp/out")
	rows=$(grep -c '^row [0-9]' "$tmp/out")
	drops=$(awk '/aggregation drop/ { n += $2 } END { print n + 0 }' "$tmp/err")
	[ "$all" = 300000 ] || fail "$size: $all firings"
	[ "$rows" -gt 1000 ] || fail "$size: $rows rows"
	[ $((rows + drops)) = $((2 * all)) ] || fail "$size: $rows rows and $drops drops are not twice $all firings: $(tail -n 5 "$tmp/err")"
}
for size in 100M 48M 32M; do
	echo $size >"$limit"
	keys
done

# A description is packed with as much memory as there is.
for size in 64M 32M 20M; do
	echo $size >"$limit"
	in_group --describe "$tmp/description.$size"
	case $size.$status in
	*.0) [ -s "$tmp/description.$size" ] || fail "$size: the description is empty" ;;
	32M.1 | 20M.1) grep -q 'a description takes more memory than the memory group of dtx has left' "$tmp/err" || fail "$size: $(cat "$tmp/err")" ;;
	*) fail "$size, a description: it ended with $status: $(cat "$tmp/err")" ;;
	esac
done

# Stacks of many large programs: what is kept of files has its part of the group.
python3 - "$tmp/large.s" <<-'END'
	import sys
	with open(sys.argv[1], 'w') as f:
	    for i in range(60000):
	        f.write(f'.globl function_{i}_of_a_large_program\nfunction_{i}_of_a_large_program:\n\tret\n')
END
cat >"$tmp/calls.c" <<-'END'
	#include <unistd.h>
	int main(void) { for (;;) { getpgid(0); usleep(10000); } }
END
echo '.section .note.GNU-stack' >>"$tmp/large.s"
gcc -O1 -c "$tmp/large.s" -o "$tmp/large.o" && gcc -O1 "$tmp/calls.c" "$tmp/large.o" -o "$tmp/calls" || fail 'gcc'
pids=()
for ((i = 0; i < 24; i++)); do
	cp "$tmp/calls" "$tmp/calls$i"
	"$tmp/calls$i" & pids+=($!)
done
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$tmp"; rmdir "$group" 2>/dev/null' EXIT
for size in 32M 48M 100M; do
	echo $size >"$limit"
	in_group -q -n 'syscall::getpgid:entry /execname != "keys"/ { @[execname, ustack()] = count(); } tick-1s { exit(0); }'
	[ $status = 0 ] || fail "$size, stacks: it ended with $status: $(tail -n 5 "$tmp/err")"
	[ "$(grep -c 'calls[0-9]*`main' "$tmp/out")" -ge 8 ] || grep -q 'symbols needs more memory than the memory group' "$tmp/err" ||
		fail "$size, stacks: names are missing: $(cat "$tmp/err")"
done
[ "$(grep -c 'calls[0-9]*`main' "$tmp/out")" -ge 8 ] || fail "stacks: names are missing: $(cat "$tmp/err")"

# The same stacks, each printed as it comes, with that of the kernel: all of them, named or with the reason.
for size in 32M 100M; do
	echo $size >"$limit"
	in_group -q -n 'syscall::getpgid:entry /strstr(execname, "calls") == execname/ { n++; printf("event"); ustack(); stack(); } tick-1s { exit(0); } END { printf("events %d\n", n); }'
	[ $status = 0 ] || fail "$size, printed stacks: it ended with $status: $(tail -n 5 "$tmp/err")"
	events=$(sed -n 's/^events //p' "$tmp/out") shown=$(grep -c '^event$' "$tmp/out")
	lost=$(awk '/ drops? on CPU/ { n += $2 } END { print n + 0 }' "$tmp/err")
	[ "$events" -gt 100 ] && [ $((shown + lost)) -ge "$events" ] || fail "$size, printed stacks: $shown of $events events: $(cat "$tmp/err")"
	[ "$(grep -c 'calls[0-9]*`main' "$tmp/out")" -ge 100 ] || grep -q 'symbols needs more memory than the memory group' "$tmp/err" ||
		fail "$size, printed stacks: names are missing: $(cat "$tmp/err")"
done
kill "${pids[@]}"

too_much() {
	[ $status = 1 ] || fail "$1: status $status: $(cat "$tmp/err")"
	grep -q 'not enough memory for the program.s maps, which may take half' "$tmp/err" || fail "$1: $(cat "$tmp/err")"
}
in_group -q -x dynvarsize=80m -n 'BEGIN { x[execname] = 1; exit(0); }'
too_much 'an option'
dtx --image "$tmp/image" -q -x scratchsize=9m -n 'BEGIN { p = alloca(8 << 20); exit(0); }'
in_group -r "$tmp/image"
too_much 'an image'
