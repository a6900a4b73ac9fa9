#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Vectors whose size only the processor knows (SVE of arm64) use no general register: arguments behind them are right, or not available.
# They themselves, and tuples and results of them, are not available.
# needs: uprobes gcc
# where: both
. "$(dirname "$0")/../lib.sh"
[ "$MACHINE" = aarch64 ] || skip 'this kind of machine has no vectors without a size'
grep -qw sve /proc/cpuinfo || skip 'this processor has no SVE'

cat >"$tmp/sve.c" <<'C'
#include <arm_sve.h>
#define FAR __attribute__((noipa))
FAR int plain(svint32_t v, int a) { return a; }
FAR int masks(svint32_t v, int a, svbool_t p, int b) { return a + b; }
FAR int tuple(svint32x2_t v, int a) { return a; }
FAR int many(svbool_t a, svbool_t b, svbool_t c, svbool_t d, svbool_t e, int x) { return x; }
FAR svint32_t gives(int a) { return svdup_s32(a); }
FAR svint32x2_t gives_two(int a) { return svcreate2_s32(svdup_s32(a), svdup_s32(a)); }
int main(void)
{
	svint32_t v = svdup_s32(1);
	svbool_t p = svptrue_b32();

	plain(v, 11), masks(v, 21, p, 22), tuple(svcreate2_s32(v, v), 31), many(p, p, p, p, p, 41), gives(51), gives_two(61);
	return 0;
}
C
# right FUNCTION ARG VALUE: it has the value, or the reason why not is said.
right() {
	"$DTX" -qn "uprobe:$tmp/sve:$1 { printf(\"%d\", $2); }" -c "$tmp/sve" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ "$(cat "$tmp/out")" = "$3" ] || grep -qF "'$2' cannot be read in uprobe:" "$tmp/err" || fail "$how $1 $2: $(cat "$tmp/out" "$tmp/err")"
}
for how in -O0 -O2; do
	gcc -march=armv8.2-a+sve -g $how -o "$tmp/sve" "$tmp/sve.c" || fail gcc
	right plain a 11
	right masks a 21
	right masks b 22
	right tuple a 31
	right many x 41
	right gives a 51
	refused "'v' cannot be read" -en "uprobe:$tmp/sve:plain { trace(v); }"
	refused "'retval' of type 'svint32_t' cannot be read" -en "uretprobe:$tmp/sve:gives { trace(retval); }"
	refused "'retval' of type 'struct svint32x2_t' cannot be read" -en "uretprobe:$tmp/sve:gives_two { trace(retval); }"
	dtx -en "uretprobe:$tmp/sve:gives { trace(arg1); }"
	grep -qF 'arg1 is not the result of' "$tmp/err" || fail "$how: arg1 of a vector is not told: $(cat "$tmp/err")"
	# By their registers, which are said.
	[ $how = -O0 ] || for one in plain=11 masks=21 tuple=31; do
		dtx -qn "uprobe:$tmp/sve:${one%=*} { printf(\"%d\", a); }" -c "$tmp/sve"
		[ "$(cat "$tmp/out")" = "${one#*=}" ] || fail "$one: $(cat "$tmp/out")"
	done
done
# Without debugging information it is not known which of them returns a vector, and the symbol says that it may.
gcc -march=armv8.2-a+sve -O2 -o "$tmp/sve" "$tmp/sve.c" || fail gcc
for f in plain gives gives_two; do
	refused 'its symbol says that it takes or returns vectors' -en "uretprobe:$tmp/sve:$f { trace(arg1); }"
	refused 'its symbol says that it takes or returns vectors' -en "uretprobe:$tmp/sve:$f { trace(retval); }"
	refused 'its symbol says that it takes or returns vectors' -n "pid\$target:sve:$f:return { trace(arg1); }" -c "$tmp/sve"
done
dtx -qn "uprobe:$tmp/sve:plain { printf(\"%d\", arg0); }" -c "$tmp/sve"
[ "$(cat "$tmp/out")" = 11 ] || fail "an argument without debugging information: $(cat "$tmp/out")"
dtx -qn "uretprobe:$tmp/sve:main { printf(\"%d\", arg1); }" -c "$tmp/sve"
[ "$(cat "$tmp/out")" = 0 ] || fail "the result of main: $(cat "$tmp/out")"
