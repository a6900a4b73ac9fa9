#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# The next step that an error names is one for the option that was used, never what was written.
. "$(dirname "$0")/../lib.sh"

# helps HELP OPTION…
helps() {
	local help=$1
	shift
	"$DTX" "$@" >"$tmp/out" 2>&1 && fail "taken: $*"
	grep "= help: " "$tmp/out" | grep -qF -- "$help" || fail "$*: $(cat "$tmp/out")"
}

helps '-f takes PROVIDER:MODULE:FUNCTION; -n takes' -ef 'dtrace:::'
helps '-m takes PROVIDER:MODULE; -n takes' -em a:b:c
helps '-P takes PROVIDER; -n takes' -eP a:b
helps '-n takes a description' -ei foo
helps 'a description is provider:module:function:name' -en a:b:c:d:e

helps 'left out by option nolibs' -x nolibs -en 'BEGIN { trace(curpsinfo->pr_pid); }'
grep -q 'nolibs' <("$DTX" -en 'BEGIN { trace(nothing); }' 2>&1) && fail 'nolibs is blamed without it'

printf 'BEGIN\n' >"$tmp/bare.d"
helps "write '{ }' after it to see when it fires" -es "$tmp/bare.d"
grep -q 'as a type' "$tmp/out" && fail "BEGIN is taken for a type: $(cat "$tmp/out")"

# says HELP, of each line that follows
says() {
	local help=$1 line
	while IFS= read -r line; do
		helps "$help" -en "$line"
		[ "$(grep -c "= help: " "$tmp/out")" = 1 ] || fail "$line: $(cat "$tmp/out")"
	done
}

says 'variables of a clause are not declared' <<'EOF'
BEGIN { char *s; }
BEGIN { const int x; }
BEGIN { uint64_t x; }
BEGIN { this int x; }
BEGIN { string s = "a"; }
BEGIN { x = 1; struct foo *y; }
EOF
says 'a clause begins with its probe' <<'EOF'
{ trace(1); }
/1/ { trace(1); }
BEGIN { x = 1; } /x/ { trace(x); }
EOF
says "nothing follows the '}'" <<'EOF'
BEGIN { x = 1; };
EOF
says "is a ';' missing before it?" <<'EOF'
BEGIN { trace(1) trace(2); }
BEGIN { x = 1 @ = count(); }
BEGIN { x = 1 if (x) trace(1); }
EOF
says "is a ',' missing before it?" <<'EOF'
BEGIN { printf("%d" 1); }
BEGIN { printf("%d", 1 2); }
BEGIN { a[1 "x"] = 1; }
EOF
says "a ',' stands between two values" <<'EOF'
BEGIN { printf("%d", ); }
BEGIN { @[pid, ] = count(); }
EOF
says "compared by '=='" <<'EOF'
BEGIN { x = = 5; }
BEGIN { pid + 1 = 5; }
EOF
says 'there are no jumps' <<'EOF'
BEGIN { goto x; }
EOF
says 'it ends the clause' <<'EOF'
BEGIN { return 1; }
EOF
says 'in parentheses: if (x > 1)' <<'EOF'
BEGIN { if pid == 1 { trace(1); } }
EOF
says 'CONDITION ? VALUE : VALUE' <<'EOF'
BEGIN { x = pid ? 1; }
EOF
says "follows its '@' at once" <<'EOF'
BEGIN { @ a[pid] = count(); }
EOF
says 'functions cannot be defined' <<'EOF'
int f(int x) { return x; }
EOF
says "no ',' follows the last one" <<'EOF'
enum e { A, B, };
EOF
says "write '@ =' before it" <<'EOF'
BEGIN { count(); }
EOF
says 'printa(@NAME)' <<'EOF'
BEGIN { @a = count(); trace(@a); }
EOF
says 'as NAME[KEY]' <<'EOF'
BEGIN { x[1] = 2; trace(x); }
EOF
says 'record members of it' <<'EOF'
BEGIN { trace(curpsinfo); }
EOF
grep -q '^-n:1:15: error' "$tmp/out" || fail "an inline is blamed: $(cat "$tmp/out")"
says '%@d prints the value' <<'EOF'
BEGIN { @a = count(); printa("%@s", @a); }
BEGIN { @a[1] = count(); printa("%d %d", @a); }
EOF
says "each '*' takes an argument" <<'EOF'
BEGIN { printf("%*d", 1); }
EOF
says 'p->NAME is one' <<'EOF'
BEGIN { printf("%s", curthread); }
EOF
says '%s prints a string' <<'EOF'
BEGIN { printf("%d", curthread->comm); }
EOF
says 'a number is written without quotes: 1' <<'EOF'
BEGIN { trace(pid == "1"); }
EOF
says 'write (struct task_struct *)5' <<'EOF'
BEGIN { trace(curthread == 5); }
EOF
says 'strtoll(s)' <<'EOF'
BEGIN { trace((int)"5"); }
EOF
[ ! -e /proc/2/maps ] || [ -n "$(cat /proc/2/maps)" ] || says 'it is one of the kernel' <<'EOF'
pid2::main:entry { trace(1); }
EOF
says 'it is not a known type' <<'EOF'
translator foo < int i > { x = i; };
provider foo { probe x(nosuch_t); };
inline x = 5;
EOF
says 'missing at the end of the declaration' <<'EOF'
struct foo { int x; } BEGIN { trace(1); }
EOF
says "each member ends with ';'" <<'EOF'
struct foo { int x; }; translator struct foo < int i > { x = i };
EOF
says 'in brackets: fds[x]' <<'EOF'
BEGIN { trace(fds); }
EOF
says 'gives more: -x scratchsize=300' <<'EOF'
BEGIN { trace(alloca(300)); }
BEGIN { trace(copyin(0, 300)); }
EOF
exit 0
