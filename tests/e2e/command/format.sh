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
D
"$DTX" --fmt "$tmp/in.d" >"$tmp/out.d"
diff -u "$tmp/want.d" "$tmp/out.d" >&2 || fail "a program that is not in the style"
"$DTX" --fmt - <"$tmp/in.d" | cmp -s - "$tmp/out.d" || fail "--fmt -"
"$DTX" --fmt -o "$tmp/file.d" "$tmp/in.d" && cmp "$tmp/file.d" "$tmp/out.d" || fail "--fmt -o"
"$DTX" --fmt "$tmp/none.d" 2>"$tmp/err" && fail "a file that is not there"
grep -q "^dtx: cannot read the script $tmp/none.d: No such file" "$tmp/err" || fail "it says: $(cat "$tmp/err")"

# A statement after a head without braces is one level further in; an else is where its if is.
cat >"$tmp/in.d" <<'D'
BEGIN{if (a)
if (b)
trace(1,
2);
else if (c)
d = 1;
else
e = 2;
else
f = 1;
while (x)
for (i = 0; i < 3; i++)
if (z) {
y = 1;
} else
k++;
if (a) if (b)
c++;
else d++;
if (x) // why
y++;
if (x)
/* why */
y++;
g = (a ||
b) &&
c; }
D
cat >"$tmp/want.d" <<'D'
BEGIN
{
	if (a)
		if (b)
			trace(1,
			    2);
		else if (c)
			d = 1;
		else
			e = 2;
	else
		f = 1;
	while (x)
		for (i = 0; i < 3; i++)
			if (z) {
				y = 1;
			} else
				k++;
	if (a) if (b)
		c++;
	else d++;
	if (x) // why
		y++;
	if (x)
		/* why */
		y++;
	g = (a ||
	    b) &&
	    c;
}
D
"$DTX" --fmt "$tmp/in.d" | diff -u "$tmp/want.d" - >&2 || fail "statements without braces"
"$DTX" --fmt --check "$tmp/want.d" || fail "--check refuses them"
cp "$tmp/want.d" "$tmp/out.d"

# The script itself as the output, in place, only compared: nothing is lost, and its rights stay.
for how in "-o $tmp/own.d $tmp/own.d" "-i $tmp/own.d" "-i $tmp/link.d"; do
	cp "$tmp/in.d" "$tmp/own.d"
	ln -sf own.d "$tmp/link.d"
	chmod 750 "$tmp/own.d"
	# shellcheck disable=SC2086 # words
	"$DTX" --fmt --check ${how##* } 2>"$tmp/err" && fail "--check accepts another style"
	grep -q 'is not in the usual style: dtx --fmt -i' "$tmp/err" || fail "--check says: $(cat "$tmp/err")"
	cmp -s "$tmp/in.d" "$tmp/own.d" || fail "--check changes the file"
	# shellcheck disable=SC2086 # words
	"$DTX" --fmt $how || fail "--fmt $how"
	cmp "$tmp/own.d" "$tmp/out.d" || fail "--fmt $how: another text"
	[ "$(stat -c %a "$tmp/own.d")" = 750 ] || fail "--fmt $how: other rights"
	[ -L "$tmp/link.d" ] || fail "--fmt $how: the link is gone"
	"$DTX" --fmt --check "$tmp/own.d" || fail "--check refuses the style"
done
cp "$tmp/in.d" "$tmp/a.d"
cp "$tmp/in.d" "$tmp/b.d"
"$DTX" --fmt -i "$tmp/a.d" "$tmp/b.d" && cmp "$tmp/a.d" "$tmp/b.d" && cmp "$tmp/a.d" "$tmp/out.d" || fail "two files in place"

# What is no program is reported, and left as it is.
echo 'BEGIN { x = ; }' >"$tmp/bad.d"
cp "$tmp/bad.d" "$tmp/kept.d"
for how in "$tmp/bad.d" "-i $tmp/bad.d" "--check $tmp/bad.d" "-o $tmp/bad.d $tmp/bad.d"; do
	# shellcheck disable=SC2086 # words
	"$DTX" --fmt $how >"$tmp/out" 2>"$tmp/err" && fail "--fmt $how accepts what is no program"
	grep -q "bad.d:1:13: error: unexpected ';'" "$tmp/err" || fail "--fmt $how says: $(cat "$tmp/err")"
	[ ! -s "$tmp/out" ] && cmp "$tmp/bad.d" "$tmp/kept.d" || fail "--fmt $how changes it"
done
exit 0
