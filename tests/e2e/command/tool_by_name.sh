#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf script
#
# dtx NAME runs the tool of this name: beside dtx, in PATH as NAME-dtx, in the source tree. Options of its first line (#!) hold,
# as when the kernel runs it. Other words get an answer that helps. dtx alone asks at the terminal which tool it is to be.
. "$(dirname "$0")/../lib.sh"

dtx=$(readlink -f "$DTX")
mkdir "$tmp/bin"
printf '%s\n' '#!/usr/bin/dtx -qs' '/* greet.d - who is greeted today? */' '#pragma D param name,n string "whom"' \
	'BEGIN { printf("hello %s %s\n", $name, $$1); exit(0); }' >"$tmp/bin/greet-dtx"
same "hello you here" "$(PATH=$tmp/bin:$PATH "$dtx" greet --name you here | grep .)" "a tool of PATH, its option and its operand"
same "hello you here" "$(PATH=$tmp/bin:$PATH "$dtx" greet -n you here 2>&1 | grep .)" "-q of its first line"
same "hello you here" "$("$dtx" "$tmp/bin/greet-dtx" -n you here 2>&1 | grep .)" "the first line of a file that is given"
cd "$tmp" || exit 1
printf '%s\n' 'BEGIN { trace("a file"); exit(0); }' >greet
PATH=$tmp/bin:$PATH "$dtx" -q greet >"$tmp/out" 2>&1
grep -q 'a file' "$tmp/out" || fail "a file of this name comes first: $(cat "$tmp/out")"
rm greet
"$dtx" opensnoop --help | grep -q 'which files are opened' || fail "no help of a tool of the source tree"

refused() {
	local said=$1
	shift
	"$dtx" "$@" >"$tmp/out" 2>&1 && fail "$* is taken"
	grep -qF -- "$said" "$tmp/out" || fail "$*: $(cat "$tmp/out")"
}
refused "did you mean 'opensnoop'?" opensnop
refused "did you mean 'opensnoop'?" opensnoopp
refused "docs/guide/from-perf.md" record -a
refused "docs/guide/from-perf.md" record -g -a sleep 1
refused "write -c 'COMMAND'" ls /
# What strace and perf are given: the answer alone, with the command that does it.
refused "dtx trace syscall::openat:entry -c 'COMMAND'" trace -e openat ls
refused "dtx trace syscall::openat:entry -c 'COMMAND'" trace -e trace=openat,close ls
refused "; for example: dtx trace syscall:::entry -c 'ls /'" trace -p 1
refused 'a description has no format' trace 'do_sys_open "%s", arg2'
refused 'dtx opensnoop --help lists the options of this tool' opensnoop -x
refused "; for example: dtx funccount 'fbt::tcp_*:entry' --duration 10s" funccount
for words in 'record -g ls' 'stat -e cycles ls' 'top -K' 'lock report' 'strace -y ls' 'ls -la'; do
	# shellcheck disable=SC2086
	refused 'there is no file and no tool' $words
	same 1 "$(grep -c . "$tmp/out")" "one line for $words: $(cat "$tmp/out")"
done
# A letter that gives dtx a program gives those nothing.
for words in 'strace -f ls' 'strace -f -e openat ls' 'strace -P /etc ls' 'perf stat -i 1' 'tcpdump -i lo' 'bpftrace -s 1'; do
	# shellcheck disable=SC2086
	refused "there is no file and no tool '${words%% *}'" $words
	same 1 "$(grep -c . "$tmp/out")" "one line for $words: $(cat "$tmp/out")"
done
# Tools by the names that they have elsewhere.
refused "there is no file and no tool 'execsnoop-bpfcc': did you mean 'execsnoop'?" execsnoop-bpfcc -x
refused "there is no file and no tool 'opensnoop.bt': did you mean 'opensnoop'?" opensnoop.bt
refused "there is no file and no tool 'runqlat.py': did you mean 'runqlat'?" runqlat.py 1 1
# Letters that other tools have, and dtx has for programs, are not a program beside the tool.
refused "runqlat.d has no option '-m': its options are" runqlat -m 1 1
refused "profile.d has no option '-f': its options are" profile -F 99 -f 5
refused "biolatency.d has no option '-s': its options are" biolatency -s x.d
refused 'instead of --pid: -p PID' opensnoop --pid 1
"$dtx" -e trace syscall::openat:entry >"$tmp/out" 2>&1 || fail "-e of a tool: $(cat "$tmp/out")"
refused "cannot read the script nosuch.d" nosuch.d
# What the usage of a tool wants is not there, or what it has no use for is.
refused "opensnoop.d has no use for '5x': USAGE: opensnoop.d" opensnoop 5x
refused "and those of dtx (--duration 10s)" opensnoop --durration 5s
refused 'needs PROBE: USAGE: funccount.d [OPTION]... PROBE; --help explains it' funccount
refused 'needs FUNCTIONS: ' calltree read
refused 'heapgrow.d needs a process: -p PID or -c COMMAND' heapgrow
# The usage in a script of the user is no rule.
printf '/*\n * USAGE: ./own.d { pid | -a } -p PID   # hit Ctrl-C\n */\nBEGIN { trace($1); exit(0); }\n' >"$tmp/own.d"
same 12 "$("$dtx" -q "$tmp/own.d" 12 2>&1 | tr -dc '[:print:]')" 'a script whose usage is in other words'
# The shell offers the options of the tool; where dtx has one of that name, too, it is the tool's.
"$dtx" --complete -- opensnoop -u 0 --f >"$tmp/out"
for option in failed file follow; do
	grep -q "^--$option$(printf '\t')" "$tmp/out" || fail "--$option is not completed: $(cat "$tmp/out")"
done
same "$(printf -- '--name\tonly programs of this name')" "$("$dtx" --complete -- opensnoop --na | sed 1d)" 'an option of the tool'
"$dtx" --complete -- --help hos | grep -q "^hosts" || fail 'an option is no topic'
script -qec "'$dtx' --agent" /dev/null </dev/null 2>&1 | grep -q 'people do not call it' || fail 'an agent at a terminal'
PATH=$tmp/bin:$PATH "$dtx" --complete -- gre | grep -q "^greet$(printf '\t')" || fail "the name is not completed"

# typed TEXT: what dtx alone shows at a terminal where it is typed.
typed() { printf '%s\n' "$@" | PATH=$tmp/bin:$PATH script -qec "$dtx" /dev/null 2>&1 | tr -d '\r'; }
typed 'greeted today' greet >"$tmp/out"
grep -q 'greet  *who is greeted today?' "$tmp/out" || fail "no search: $(cat "$tmp/out")"
grep -q 'hello' "$tmp/out" || fail "the chosen tool does not run: $(cat "$tmp/out")"
