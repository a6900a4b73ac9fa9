#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Options that a script declares: given in every form, refused with a sentence, explained by --help; in images, too.
. "$(dirname "$0")/../lib.sh"

tool=$tmp/tool.d
cat >"$tool" <<END
#!$(readlink -f "$DTX") -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tool.d - shows its options.
 */
#pragma D option defaultargs
#pragma D param limit,n int 10 "rows to show"
#pragma D param user_name string "only this \\"user\\""
#pragma D param every,e time 100ms "how often"
#pragma D param all,a flag "all"
#pragma D param bare,b flag 1 "no heading"
BEGIN { printf("%d [%s] %d %d %d \$1=%d %s\n", \$limit, \$user_name, \$every, \$all, \$bare, \$1, \$\$2); exit(0); }
END
chmod +x "$tool"

# gives OUTPUT ARG…: the script run as a command; dtx: the last image compiled with the arguments.
gives() {
	local want=$1
	shift
	same "$want" "$("$tool" "$@" 2>&1)" "with: $*"
}
gives '10 [] 100000000 0 1 $1=0 '
gives '5 [root] 1000000000 1 0 $1=7 x' -n 5 --user-name root -e1s -a --no-bare 7 x
gives '-5 [a b] 2000000000 1 1 $1=7 x' 7 --limit=-5 x --user_name='a b' --every 2 -ab
gives '3 [] 100000000 0 1 $1=-4 -n' --lim 3 -- -4 -n
gives '2 [] 100000000 0 1 $1=0 ' -n 1 -n2 -x strsize=100

# refused ARG… SENTENCE: status 2, and standard error has the sentence.
refused() {
	local sentence=${*: -1} status
	"$tool" "${@:1:$#-1}" >"$tmp/out" 2>"$tmp/err" && status=0 || status=$?
	[ "$status" = 2 ] && grep -qxF "dtx: $sentence" "$tmp/err" && [ "$(wc -l <"$tmp/err")" = 1 ] ||
		fail "status $status: $(cat "$tmp"/{out,err})"
}
all='its options are --limit (-n), --user_name, --every (-e), --all (-a), --bare (-b), --top (-t), --name, and those of dtx (--duration 10s); --help explains them'
refused --rows 5 "tool.d has no option '--rows': $all"
refused -k "tool.d has no option '-k': $all"
refused -ak "tool.d has no option '-k': $all"
refused -n many "tool.d: --limit takes a whole number, as in 10, not 'many'"
refused --every 5hz "tool.d: --every takes a time with its unit, as in 10ms, 5s or 2m, not '5hz'"
refused -n "tool.d: --limit needs a value: rows to show"
refused --all=1 "tool.d: --all takes no value"
"$tool" 1 2 x 2>&1 | grep -q "operand 'x' is not used" || fail 'an operand that is not used is accepted'

help="tool.d - shows its options.

options:
  -n, --limit N            rows to show (default: 10)
      --user-name TEXT     only this \"user\"
  -e, --every TIME         how often (default: 100ms)
  -a, --all                all
  -b, --bare               no heading (default; --no-bare)
  -t, --top N              how many rows of a table to show
      --name TEXT          only threads of this name

an operand TIME is how long it runs: 10 is 10 seconds
options of dtx, such as -c COMMAND, -p PID, --container ID, -o FILE, --duration TIME and -x OPT=VAL, can follow as well"
for word in -h --help; do same "usage: tool.d [OPTION]... [ARGUMENT]...

$help" "$("$tool" $word)" "the help of $word"; done

# A program without options has a usage, too; -h is then the header of provider declarations.
echo 'provider app { probe go(int); }; BEGIN { exit(0); }' >"$tmp/plain.d"
"$DTX" -qs "$tmp/plain.d" --help | grep -qx 'usage: plain.d \[OPTION\]... \[ARGUMENT\]...' || fail 'no usage'
"$DTX" -qs "$tmp/plain.d" -h -o "$tmp/plain.h" || fail 'no header'

# An image has the values that it was compiled with.
"$DTX" --image "$tmp/tool.img" -qs "$tool" -n 4 -a || fail 'no image'
for run in "$DTX -r" "${DTX%/*}/dtx-run"; do
	same '4 [] 100000000 1 1 $1=0 ' "$($run "$tmp/tool.img")" "$run"
	$run "$tmp/tool.img" --help | grep -qx '  -n, --limit N            rows to show (set: 4)' || fail "$run: help"
	! $run "$tmp/tool.img" -n 5 2>"$tmp/err" || fail "$run: an option was set"
	grep -q "limit was set to '4' when the image was compiled, and cannot be changed" "$tmp/err" || fail "$run: $(cat "$tmp/err")"
done
