#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc setarch
#
# An address that was recorded before exec() never gets a name of the program that came after it: both have another
# function at the same place. With -c both are named. The same holds for what is read between the two: the mappings of the first
# program lead to files of the second one.
# attack: exec() between the reading of a process's mappings and that of their files, with other code at the same addresses | no name of the other program
. "$(dirname "$0")/../lib.sh"

# program FUNCTION: $tmp/FUNCTION, which passes the address of that function to mark(), then runs its arguments or waits.
program() {
	gcc -x c -O1 -o "$tmp/$1" - <<END || fail "cannot compile"
#include <unistd.h>
__attribute__((noinline)) void mark(void *p) { asm volatile("" : : "r"(p)); }
void $1(void) { asm volatile(""); }
int main(int n, char **v)
{
	mark($1);
	if (n > 1)
		execv(v[1], v + 1);
	else
		sleep(60);
	return 0;
}
END
}
program before
program after
probe="uprobe:$tmp/*:mark:entry"

# The records are read when the first program is gone. Without randomisation both are mapped at the same addresses.
for unwind in auto off; do
	: >"$tmp/out"                                    # else it has the "ready" of the run before
	"$DTX" -qn "BEGIN { printf(\"ready\n\"); } $probe { @f[execname, ufunc(arg0)] = count();
		@s[execname, ustack(1)] = count(); } tick-1500ms { exit(0); }" -x switchrate=400ms -x ustackunwind=$unwind >"$tmp/out" 2>"$tmp/err" &
	tracer=$!
	begun
	setarch -R "$tmp/before" "$tmp/after" &
	wait $tracer || fail "$(cat "$tmp/err")"
	kill %%
	same "after after\`after 1" "$(awk '$1 == "after" && NF == 3 { print $1, $2, $3 }' "$tmp/out")" "$unwind: the second program"
	awk '$1 == "before" && NF == 3 { print $2, $3 }' "$tmp/out" | grep -qE '^(before`before|0x[0-9a-f]+) 1$' ||
		fail "$unwind: the first program: $(cat "$tmp/out")"
	[ "$(grep -c 'after`mark' "$tmp/out")" = 1 ] || fail "$unwind: not one stack in the second program: $(cat "$tmp/out")"
done

dtx -qn "$probe { @[execname, ufunc(arg0)] = count(); }" -c "setarch -R $tmp/before $tmp/after end"
same $'after after`after 1\nbefore before`before 1' "$(awk 'NF { print $1, $2, $3 }' "$tmp/out" | sort)" "-c: both have their names"

# The mappings are read for a name of the C library; then the first program's own file is asked for when the second one runs.
for name in first second; do
	gcc -x c -O1 -no-pie -o "$tmp/$name" - <<-END || fail "cannot compile"
	#include <unistd.h>
	__attribute__((noinline)) void said(void *p) { asm volatile("" : : "r"(p)); }
	void in_$name(void) { asm volatile(""); }
	int main(int n, char **v)
	{
		if (n > 1) {
			said(__builtin_return_address(0));
			usleep(300000);
		}
		said(in_$name);
		if (n > 1)
			execv(v[1], v + 1);
		usleep(400000);
		return 0;
	}
	END
done
dtx -qn "uprobe:$tmp/first:said:entry, uprobe:$tmp/second:said:entry { printf(\"%s %A\\n\", execname, ufunc(arg0)); }" \
	-x switchrate=100ms -c "$tmp/first $tmp/second"
! grep -qE '^(first|second) (second`in_first|first`in_second)|^first .*in_second|^second .*in_first' "$tmp/out" ||
	fail "a name of the other program: $(cat "$tmp/out")"
grep -q '^first libc' "$tmp/out" && grep -qx 'first first`in_first' "$tmp/out" && grep -qx 'second second`in_second' "$tmp/out" ||
	fail "not both have their names: $(cat "$tmp/out")"
