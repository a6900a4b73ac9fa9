#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc uprobes
# where: native
# timeout: 120
# waits: for files that are cut
#
# A file that others own is cut short while dtx reads it: dtx ends by itself, with a message if it cannot go on. Objects, their debugging
# information and notes, BTF, scripts; at each of its reads (at most DTX_CUTS of them, in equal steps), to nothing and to half.
. "$(dirname "$0")/../lib.sh"

plain 'the library preloaded stands in front of the sanitizers'
lib=$tmp/shrink.so
gcc -O1 -shared -fPIC -o "$lib" tests/fault/shrink.c -ldl || fail 'the library does not compile'

# run AT TO ARG…: dtx with the ARGs, where FILE is the file.
run() {
	local at=$1 to=$2
	shift 2
	cp "$original" "$tmp/file"
	DTX_SHRINK=$tmp/file DTX_SHRINK_AT=$at DTX_SHRINK_TO=$to DTX_SHRINK_COUNT=$tmp/count LD_PRELOAD=$lib \
		timeout -k 1 20 "$DTX" "${@//FILE/$tmp/file}" >"$tmp/out" 2>"$tmp/err"
}

# cut ORIGINAL ARG…
cut() {
	original=$1
	local reads size k to status
	shift
	rm -f "$tmp/count"
	run 0 0 "$@" || fail "dtx $* fails with the whole file: $(cat "$tmp/err")"
	reads=$(cat "$tmp/count" 2>/dev/null) || fail "dtx $*: no read of the file is seen"
	size=$(stat -c %s "$original")
	for ((k = 1; k <= reads; k += 1 + reads / ${DTX_CUTS:-8})); do
		for to in 0 $((size / 2)); do
			run $k $to "$@"
			status=$?
			case $status in
			0) ;;
			1 | 2) [ -s "$tmp/err" ] || fail "dtx $*, read $k of $reads, cut to $to: status $status without a message" ;;
			*) fail "dtx $*, read $k of $reads, cut to $to: status $status: $(cat "$tmp/err")" ;;
			esac
		done
	done
}

echo 'BEGIN { printf("%s\n", "a script"); exit(0); }' >"$tmp/script.d"
cut "$t/usdt" -qn 'uprobe:FILE:main:entry { trace(arg0); } BEGIN { exit(0); }'
cut "$t/usdt" -qn 'usdt:FILE::* { trace(arg0); } BEGIN { exit(0); }'
objcopy --only-keep-debug "$t/typed" "$tmp/file" && cp "$tmp/file" "$tmp/debug" &&
	objcopy --strip-debug --add-gnu-debuglink="$tmp/file" "$t/typed" "$tmp/typed" || fail 'no debugging information apart'
cut "$tmp/debug" -qn 'pid$target:a.out:handle:entry { trace(args[0]->id); @[ustack()] = count(); }' -c "$tmp/typed"
# Its checksum is read first: a file that is cut then is another file.
for ((k = 1; k < 20; k++)); do
	run $k 0 -qn 'pid$target:a.out:handle:entry { trace(args[0]->id); }' -c "$tmp/typed"
	grep -qE "the debug file $tmp/file is (of another build|not an ELF object)" "$tmp/err" || break
done
[ "$k" -gt 1 ] || fail "the checksum of a debug file is not read: $(cat "$tmp/err")"
grep -q "$tmp/file was cut short while its debugging information was read" "$tmp/err" || fail "what is said: $(cat "$tmp/err")"
cut "$tmp/script.d" -qs FILE
cut /sys/kernel/btf/vmlinux -q -x ctfpath=FILE -n 'BEGIN { trace(((struct task_struct *)curthread)->pid); exit(0); }'
