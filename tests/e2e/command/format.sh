#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
# needs: none
# timeout: 120
#
# dtx --fmt: the examples are in its style; programs mean the same afterwards. tests/unit/test_format.c tries more texts.
. "$(dirname "$0")/../lib.sh"

for file in examples/*.d; do
	"$DTX" --fmt "$file" | diff -u "$file" - >&2 || fail "$file is not in the style of dtx --fmt"
done
for file in tests/lang/*.ast; do
	file=${file%.ast}; file=${file%.d}.d
	"$DTX" --fmt "$file" >"$tmp/1.d"
	# shellcheck disable=SC2046 # words
	set -- $(sed -n 's,^// run: ,,p' "$file")
	"$DTX" "$@" -Z -S ast -s "$file" 2>/dev/null | sed 's/[0-9]*:[0-9]*//' >"$tmp/before"
	"$DTX" "$@" -Z -S ast -s "$tmp/1.d" 2>/dev/null | sed 's/[0-9]*:[0-9]*//' >"$tmp/after"
	cmp -s "$tmp/before" "$tmp/after" || { diff "$tmp/before" "$tmp/after" >&2; fail "$file: another program"; }
done

cat >"$tmp/in.d" <<'D'
// head
BEGIN{x=1;y = 2; /* two */ z=x+y;} // after
syscall::read:entry,syscall::write:entry/pid==$pid&&x/{if(x==1){trace(1);}else{trace(2);}
/* own line */
for(i=0;i<3;i++){x+=i;}
printf("%d {;}\n",
x);
}
struct s {int a; char b[4];};
tick-1s;
D
cat >"$tmp/want.d" <<'D'
// head
BEGIN
{
	x = 1;
	y = 2; /* two */
	z = x+y;
} // after

syscall::read:entry,
syscall::write:entry
/pid == $pid && x/
{
	if (x == 1) {
		trace(1);
	} else {
		trace(2);
	}
	/* own line */
	for (i = 0; i<3; i++) {
		x += i;
	}
	printf("%d {;}\n",
	    x);
}

struct s {
	int a;
	char b[4];
};
tick-1s;
D
"$DTX" --fmt "$tmp/in.d" >"$tmp/out.d"
diff -u "$tmp/want.d" "$tmp/out.d" >&2 || fail "a program that is not in the style"
"$DTX" --fmt - <"$tmp/in.d" | cmp -s - "$tmp/out.d" || fail "--fmt -"
"$DTX" --fmt -o "$tmp/file.d" "$tmp/in.d" && cmp "$tmp/file.d" "$tmp/out.d" || fail "--fmt -o"
"$DTX" --fmt "$tmp/none.d" 2>"$tmp/err" && fail "a file that is not there"
grep -q "^dtx: cannot read the script $tmp/none.d: No such file" "$tmp/err" || fail "it says: $(cat "$tmp/err")"
exit 0
