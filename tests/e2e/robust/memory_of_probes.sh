#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3 umulti
# where: native
# timeout: 120
#
# What a run keeps of a function that it probes: what its row and its name have that those before it do not, 20 bytes here, and not the
# image, the symbols of the file and what was listed. A row that is asked for is whole again. Who ends a run while it attaches is not told that the kernel refuses probes.
. "$(dirname "$0")/../lib.sh"
plain 'a sanitizer needs more memory'
python3 - "$tmp/many.s" <<-'END'
	import sys
	with open(sys.argv[1], 'w') as f:
	    for i in range(30000):
	        f.write(f'.globl a_function_with_a_name_n{i:05}\n.type a_function_with_a_name_n{i:05}, @function\n')
	        f.write(f'a_function_with_a_name_n{i:05}:\n\tpush %rbp\n\tpop %rbp\n\tret\n')
	        f.write(f'.size a_function_with_a_name_n{i:05}, . - a_function_with_a_name_n{i:05}\n')
	    f.write('.section .note.GNU-stack\n')
END
cat >"$tmp/main.c" <<-'END'
	#define CALL(n)  extern void a_function_with_a_name_n##n(void); a_function_with_a_name_n##n();
	int main(void) { CALL(29999) CALL(00000) CALL(00064) CALL(20063) return 0; }
END
gcc -O1 "$tmp/main.c" "$tmp/many.s" -o "$tmp/many" || fail 'gcc'
# run PATTERN: dtx, in the background.
run() {
	rm -f "$tmp"/{out,err}
	"$DTX" -x cache=off -n "uprobe:$tmp/many:$1:entry { @ = count(); } BEGIN { printf(\"ready\n\"); }" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
}
finish() { kill -TERM $pid && wait $pid || fail "it ended with $?: $(cat "$tmp/err")"; }
kb() { awk '/^Anonymous:/ { print $2 }' "/proc/$pid/smaps_rollup"; }
few() { [ "$(kb)" -le "$1" ]; }

run main
begun
awaits few 6000          # what the compilation needed is given back after a moment
one=$(kb)
finish
run 'a_function*'
begun
awaits few $((one + 30000 * 60 / 1024))
finish
grep -q 'matched 30001 probes' "$tmp/err" || fail "not all functions: $(cat "$tmp/err")"

run 'a_function*'
awaits grep -qs 'matched 30001 probes' "$tmp/err"
finish
! grep 'not attached:' "$tmp/err" || fail 'it says that probes were refused, where it was ended'

# The functions are numbered as their ids are.
"$DTX" -x cache=off -n "uprobe:$tmp/many:a_function*:entry" -c "$tmp/many" 2>/dev/null |
	awk '/a_function/ { print $3, $2 - substr($3, 25, 5) }' >"$tmp/rows"
first=$(awk 'NR == 1 { print $2 }' "$tmp/rows")
printf "a_function_with_a_name_n%s:entry $first\n" 29999 00000 00064 20063 | diff - "$tmp/rows" ||
	fail 'a row that was packed is another one'
