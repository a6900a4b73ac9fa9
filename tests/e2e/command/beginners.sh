#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf
#
# Mistakes of beginners: what is told, or the next step.
. "$(dirname "$0")/../lib.sh"

# told LINE TEXT
told() {
	"$DTX" -en "$1" 2>"$tmp/err" && fail "taken: $1"
	grep -qF -- "$2" "$tmp/err" || fail "$1: not told '$2': $(cat "$tmp/err")"
}

told 'BEGIN trace(1);' 'what a clause does is in braces'
told 'BEGIN if (pid == 1) { trace(1); }' 'the condition of a clause is a predicate'
told 'BEGIN { int x = 3; }' 'variables of a clause are not declared: write this->NAME'
told 'BEGIN { for (int i = 0; i < 3; i++) { } }' 'variables of a clause are not declared'
told 'BEGIN { var x = 5; }' 'variables of a clause are not declared'
told 'BEGIN { foreach (x in y) { } }' 'the entries of an aggregation can only be printed'
told 'BEGIN { trace((task_struct *)arg0); }' "'task_struct' is not a known type; write a tag as 'struct NAME'"
told 'BEGIN { trace(*arg1); }' 'it needs the type of what is there: *(int *)arg1'
told 'BEGIN { printf "hello\n"; }' 'the arguments of a function are in brackets'
told 'BEGIN { echo "hello"; }' 'printf prints, with its arguments in brackets'
told 'probe kernel.function("vfs_read") { }' 'the probe is fbt::vfs_read:entry here'
told 'BEGIN { self.t = 1; }' 'variables of the thread and of the clause are written self->x and this->x'
told 'BEGIN { trace(this.t); }' 'are written self->x and this->x'
told 'syscall::read:entry @x = count(); }' "a '{' is missing"
told 'syscall::read:entry { trace(args.cnt); }' 'it has fd, buf, count'
told 'syscall::openat:entry { printf("%s\n", arg1); }' 'copyinstr(arg1)'
told 'Begin { }' 'near it: BEGIN'
told 'BEGIN { trace(PID); }' "did you mean 'pid'?"
told 'io:::begin { }' 'dtx -ln io::: lists the probes of this provider'

refused "quote the whole: -c 'COMMAND /'" -c ls / -n 'BEGIN { exit(0); }'
refused 'use bytes, as in 512, 64k, 4m or 1g' -x bufsize=1z -n BEGIN
refused 'use a time, as in 500ms, 10s' --duration 5x -n BEGIN
refused 'use a number' -x nspec=many -n BEGIN
refused 'pgrep -o bash' -p bash -n BEGIN
refused 'instead of --pid: -p PID' --pid 1 -n BEGIN
refused 'instead of --json: -x format=json' --json -n BEGIN
refused 'instead of --csv: -x format=csv' --csv -n BEGIN
refused 'instead of --flame: --stacks svg=FILE' --flamegraph -n BEGIN
refused 'instead of --html: --report FILE' --html -n BEGIN
refused 'use text, json or csv; --stacks draws flame graphs' -x format=flame -n BEGIN
refused 'instead of --list: -l' --list
refused 'instead of --explain: --help MESSAGE' --explain D_SYNTAX
"$DTX" -en 'BEGIN { trace(5 / 2.0); }' 2>"$tmp/err" && fail 'a float is taken'
same 1 "$(grep -c ': error: ' "$tmp/err")" "more than one mistake: $(cat "$tmp/err")"
refused 'did you mean --format?' --frmat json -n BEGIN
refused 'did you mean --follow?' --folow -n BEGIN
refused 'did you mean --duration?' --durations=3 -n BEGIN
refused 'did you mean --help?' --hlep
refused 'did you mean -x cpu=1?' --cpu 1 -n BEGIN
refused 'did you mean -x strsize=9?' --strsize=9 -n BEGIN
refused 'did you mean -x maxoverhead=VALUE?' --max-overhead -n BEGIN
refused 'did you mean -x flowtime?' --flowtime -n BEGIN
refused 'did you mean -x timestamps?' --timestamp -n BEGIN
refused 'instead of --quiet: -q' --quiet -n BEGIN
# Whatever -x sets, without its dashes or with them, is no riddle as a long option.
n=0 words=$("$DTX" --help | grep -oE -- '--[a-z-]+')
for name in $(sed -nE 's/^OPTION\(([a-z0-9]+),.*/\1/p' include/dtx/tables/options.def); do
	[[ $'\n'$words$'\n' != *$'\n'--$name$'\n'* ]] || continue
	case $name in quiet | verbose | version) continue ;; esac
	refused "did you mean -x $name" "--$name" -n BEGIN
	n=$((n + 1))
done
[ $n -gt 60 ] || fail "$n options were tried"
for option in -o -s --record --trace --perfetto --report --image --replay --diff; do
	refused "$option '' names no file" "$option" '' -n BEGIN
done
refused "did you mean the tool 'opensnoop'?" --help opnsnoop
refused "did you mean '-x bufsize'?" --help -x bufsiz
# A variable of the shell that is not set.
for option in --comm --cgroup --container; do
	refused 'its value is empty; without this option, everything is traced' "$option" '' -n 'BEGIN { exit(0); }'
done
refused 'docs/guide/from-perf.md' stat ls
refused 'from-perf' record
refused 'dtx --live' top
"$DTX" --help opensnoop >"$tmp/out" || fail 'no help of a tool'
grep -q 'which files are opened' "$tmp/out" || fail "$(cat "$tmp/out")"
# A string in single quotes is a number, which a key may be.
dtx -qn "BEGIN { @['execname'] = count(); x['one', 1] = 2; exit(0); }"
for text in execname one; do grep -qF "strings take double quotes: \"$text\"" "$tmp/err" || fail "'$text' as a key: $(cat "$tmp/err")"; done
dtx -qn "BEGIN { @['\\n'] = count(); exit(0); }"
[ ! -s "$tmp/err" ] || fail "a character as a key: $(cat "$tmp/err")"
