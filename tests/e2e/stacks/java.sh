#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: java javac
# timeout: 60
#
# Stacks of Java without frame pointers reach the start of their thread, through compiled code, the interpreter, and the machine's own
# functions; 40 calls of a compiled method that calls itself are 40 frames.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/Load.java" <<'JAVA'
public class Load {
	static int nested(int d) { return d == 0 ? text() : nested(d - 1) + 1; }
	static int text() { String s = ""; for (int i = 0; i < 300; i++) s = String.valueOf(i * 7919) + s.length(); return s.length(); }
	public static void main(String[] a) { int sum = 0; while (sum != 1) sum += nested(40); }
}
JAVA
javac -d "$tmp" "$tmp/Load.java" || fail 'javac'

# stacks OPTIONS…: of the thread, when the tables are made and the method is compiled; prints how many there are, how many are not
# whole, and how often one address is repeated at most.
stacks() {
	dtx -q -c "java $* -XX:-Inline -cp $tmp Load" -n 'profile-199 /pid == $target && arg1 != 0 && self->n++ > 100/ { @[ustack(200)] = count(); }
		profile-199 /pid == $target && arg1 != 0 && self->n <= 100/ { @early[ustack(200)] = count(); } tick-4s { trunc(@early); exit(0); }'
	awk 'NF == 0 { run = 0; bad = 0; last = "" } /incomplete/ { bad = 1 } /^ *[0-9]+$/ { all += $1; if (bad) short += $1; next }
		{ run = $1 == last ? run + 1 : 1; last = $1; if (run > most && last ~ /^0x/) most = run } END { print all + 0, short + 0, most + 0 }' "$tmp/out"
}
read -r all short most < <(stacks)
[ "$all" -ge 20 ] || fail "compiled: only $all samples: $(cat "$tmp/err")"
[ $((short * 50)) -le "$all" ] || fail "compiled: $short of $all are not whole"
[ "$most" = 39 ] || [ "$most" = 40 ] || fail "compiled: $most frames of nested()"
read -r all short most < <(stacks -Xint)
[ "$all" -ge 20 ] || fail "interpreted: only $all samples: $(cat "$tmp/err")"
[ $((short * 50)) -le "$all" ] || fail "interpreted: $short of $all are not whole"
exit 0
