#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# A fault tells the place of its expression; at an entry, once, that a page may not be there yet.
. "$(dirname "$0")/../lib.sh"

printf 'BEGIN { x = 0; }\n  BEGIN { trace(1 / x); }\nBEGIN { while (1) { x++; } }\nBEGIN { exit(0); }\n' >"$tmp/place.d"
"$DTX" -q -s "$tmp/place.d" 2>"$tmp/err"
grep -qF "(dtrace:::BEGIN): divide-by-zero at $tmp/place.d:2:17, in '1 / x'" "$tmp/err" || fail "$(cat "$tmp/err")"
grep -qF "too many iterations of a loop (256) at $tmp/place.d:3:9, in 'while (1) { x++; }'" "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q "in memory" "$tmp/err" && fail "told of a page: $(cat "$tmp/err")"

"$DTX" -q -n 'syscall::write:entry /pid == $target/ { trace(copyinstr(0x10000000)); trace(1); }' -c 'sh -c "echo a; echo b"' >"$tmp/out" 2>"$tmp/err"
same 2 "$(grep -cF "invalid address" "$tmp/err")" "faults"
same 1 "$(grep -cF "invalid address (0x10000000) at -n:1:47, in 'copyinstr(0x10000000)'" "$tmp/err")" "the first"
same 1 "$(grep -cE '^dtx: 1 more of: error in .* invalid address at -n:1:47' "$tmp/err")" "the second"
same 1 "$(grep -c 'the page may not be in memory yet: keep the address, self->p = arg0, and read it at the return' "$tmp/err")" "hints"

# The clause by its descriptions, as the program has them; of many the first ones. In an image and its replay, too.
"$DTX" -q -n 'syscall::wri*:entry, syscall::writev:entry /pid == $target/ { trace(*(int *)8); }' -c 'echo a' >"$tmp/out" 2>"$tmp/err"
grep -q '^dtx: error in syscall::wri\*:entry, syscall::writev:entry for probe ID [0-9]* (syscall:vmlinux:write:entry): ' "$tmp/err" || fail "$(cat "$tmp/err")"
"$DTX" -q -n 'BEGIN,syscall::wri*:entry,syscall::writev:entry,syscall::getpid:entry { trace(*(int *)8); } BEGIN { exit(0); }' 2>"$tmp/err"
grep -q '^dtx: error in BEGIN, syscall::wri\*:entry, \.\.\. for probe ID 1 (dtrace:::BEGIN): ' "$tmp/err" || fail "$(cat "$tmp/err")"
"$DTX" --image "$tmp/image" -n 'BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }'
"$DTX" -q --record "$tmp/kept" -r "$tmp/image" 2>"$tmp/err"
"$DTX" -q --replay "$tmp/kept" 2>>"$tmp/err"
same 2 "$(grep -c '^dtx: error in BEGIN for probe ID 1 (dtrace:::BEGIN): divide-by-zero at -n:1:22' "$tmp/err")" 'an image and its replay'

# Each expression that can fault, marked by «» in what stands around it: the column is that of the mark.
while IFS= read -r line; do
	before=${line%%«*} rest=${line#*«}
	what=${rest%%»*}
	printf 'BEGIN { zero = 0; five = 5; self->in = "abc"; }\n%s\nBEGIN { exit(0); }\n' "$before$what${rest#*»}" >"$tmp/one.d"
	"$DTX" -qs "$tmp/one.d" >"$tmp/out" 2>"$tmp/err"
	grep -qF " at $tmp/one.d:2:$((${#before} + 1)), in '$what'" "$tmp/err" || fail "$line: $(cat "$tmp/err")"
done <<'EOF'
BEGIN { trace(«1 / zero»); }
BEGIN { trace(2 + «five % zero» * 3); }
BEGIN { x = 1; «x /= zero»; }
BEGIN /«1 / zero» == 0/ { trace(1); }
BEGIN /five == 5 && «7 % zero»/ { }
BEGIN { trace(zero ? 1 : «2 / zero»); }
BEGIN { @[«3 / zero»] = count(); }
BEGIN { @ = sum(«4 / zero»); }
BEGIN { a[«1 / zero»] = 2; }
BEGIN { self->b[1, «1 / zero»] = 2; }
BEGIN { if («1 / zero») { trace(1); } }
BEGIN { if (five) { trace(«1 / zero»); } else { trace(2); } }
BEGIN { printf("%d %d", five, «6 / zero»); }
BEGIN { printf("%s", «copyinstr(8)»); }
BEGIN { trace(«copyinstr(16, 20)»); }
BEGIN { tracemem(«copyin(8, 4)», 4); }
BEGIN { trace(«((struct task_struct *)8)->pid»); }
BEGIN { trace(five + «((struct task_struct *)8)->tgid»); }
BEGIN { trace(«*(int *)16»); }
BEGIN { trace(«(((struct task_struct *)8)->parent)»->pid); }
BEGIN { @[stringof«((char *)24)»] = count(); }
BEGIN { trace(strlen(«copyinstr(8)»)); }
BEGIN { trace(strjoin("a", «copyinstr(8)»)); }
BEGIN { x = five ? «1 % zero» : 0; }
EOF

# Ten thousand of one fault are told in a few lines, and then what helps.
"$DTX" -qn 'syscall::getpgid:entry /pid == $target/ { trace(1 / (arg0 - arg0)); }' -c "$t/threads 1 12000 syscall" 2>"$tmp/err"
[ "$(grep -c 'divide-by-zero' "$tmp/err")" -lt 60 ] || fail 'repeats are not folded'
same 12000 "$(sed -nE 's/^dtx: (([0-9]+) more of: )?error in .*divide-by-zero.*/\2/p' "$tmp/err" | awk '{ n += $1 ? $1 : 1 } END { print n }')" 'in all'
same 1 "$(grep -c 'help: test the divisor first' "$tmp/err")" 'the hint'

# format=json has the expression and the count.
"$DTX" -q -x format=json -n 'BEGIN { x = 0; i = 0; } tick-1ms { trace(1 / x); } tick-1ms /++i == 20/ { exit(0); }' >"$tmp/out" 2>/dev/null
grep '"type":"fault"' "$tmp/out" >"$tmp/faults"
head -n 1 "$tmp/faults" | grep -qF '"expression":"1 / x","file":"-n","line":1,"column":42' || fail "$(cat "$tmp/faults")"
sed -n 2p "$tmp/faults" | grep -q '"count":1' || fail "$(cat "$tmp/faults")"
