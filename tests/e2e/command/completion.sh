#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf zsh fish gcc
# where: native
# timeout: 60
#
# TAB: what dtx --complete gives, and the same through the functions of bash, zsh and fish.
# attack: a process is called $(…), `…`, "…", ';…;', or has an escape sequence as its name, and TAB completes it | it is one word of the line, or shown escaped
. "$(dirname "$0")/../lib.sh"
set -f

# offers WORDS… -- CANDIDATE…: the candidates of a command line are these, first to last, among others.
offers() {
	local line=() want
	while [ "$1" != -- ]; do line+=("$1"); shift; done
	shift
	"$DTX" --complete -- "${line[@]}" 2>"$tmp/err" | sed 1d | cut -f 1 >"$tmp/got"
	[ ! -s "$tmp/err" ] || fail "${line[*]}: $(cat "$tmp/err")"
	for want; do grep -Fxq -- "$want" "$tmp/got" || fail "${line[*]}: no '$want' among: $(head -20 "$tmp/got")"; done
}
# exactly WORDS… -- CANDIDATE…
exactly() {
	offers "$@"
	while [ "$1" != -- ]; do shift; done
	[ "$(wc -l <"$tmp/got")" = $(($# - 1)) ] || fail "more than $*: $(cat "$tmp/got")"
}

# --- probes, field by field ------------------------------------------------------------------------
offers -n sys -- syscall:
offers -n syscall::rea -- syscall::read: syscall::readv:
exactly -n syscall::read: -- syscall::read:entry syscall::read:return
offers -n 'BEGIN { } syscall::write' -- 'BEGIN { } syscall::write:'
offers -n 'syscall::read:entry, syscall::write' -- 'syscall::read:entry, syscall::write:'
exactly -n io:::st -- io:::start
exactly -n tracepoint:sched:sched_swi -- tracepoint:sched:sched_switch
exactly -n BEG -- BEGIN
# The slashes of a path begin no predicate.
exactly -n "uprobe:$t/leaks:gro" -- "uprobe:$t/leaks:grow:"
exactly -n "uprobe:$t/leaks:gro /execn" -- "uprobe:$t/leaks:gro /execname"
# --- expressions ---------------------------------------------------------------------------------------
exactly -n 'syscall::read:entry { trace(execn' -- 'syscall::read:entry { trace(execname'
exactly -n 'syscall::read:entry /execn' -- 'syscall::read:entry /execname'
exactly -n 'syscall::read:entry { args.' -- 'syscall::read:entry { args.fd' 'syscall::read:entry { args.buf' 'syscall::read:entry { args.count'
exactly -n 'io:::start { trace(args[1]->dev_st' -- 'io:::start { trace(args[1]->dev_statname'
exactly -n 'BEGIN { curthread->se.vrunt' -- 'BEGIN { curthread->se.vruntime'
offers -n 'BEGIN { curpsinfo->pr_p' -- 'BEGIN { curpsinfo->pr_psargs' 'BEGIN { curpsinfo->pr_pid'
exactly -n 'BEGIN { curps' -- 'BEGIN { curpsinfo'
exactly -n 'BEGIN { @ = lquan' -- 'BEGIN { @ = lquantize'
exactly -n 'BEGIN { self->start = 1; } END { self->st' -- 'BEGIN { self->start = 1; } END { self->start'
exactly -n 'BEGIN { @calls = count(); } END { printa(@ca' -- 'BEGIN { @calls = count(); } END { printa(@calls'
exactly -n 'BEGIN /pid == $tar' -- 'BEGIN /pid == $target'
exactly -n 'BEGIN { printf("syscall::rea' --
exactly -n 'BEGIN { /* execn' --
exactly -n '}}]] { ( { args.' --
# --- options ----------------------------------------------------------------------------------------------
exactly -x bufp -- bufpolicy
exactly -x bufpolicy= -- bufpolicy=ring bufpolicy=fill bufpolicy=switch
exactly -x quiet=o -- quiet=on quiet=off
exactly -xbufp -- -xbufpolicy
exactly -qxbufp -- -qxbufpolicy
exactly --format j -- json
exactly --format=j -- --format=json
exactly -nio:::st -- -nio:::start
exactly --duration '' --
exactly --ins -- --inspect
offers -p 1 -- 1
offers -p $$ -- $$
exactly --help quant -- quantize
offers --help D_PROTO -- D_PROTO_LEN
offers --help i -- io
# first WORDS… -- LINE: the first line of the answer; the end of the word that candidates continue follows the kind.
first() {
	local line=()
	while [ "$1" != -- ]; do line+=("$1"); shift; done
	same "$2" "$("$DTX" --complete -- "${line[@]}" | head -n 1)" "${line[*]}"
}
first -s x -- $'files\tx'
first y -- $'files\ty'
first funccou -- $'whole\tfunccou'
first --record=x -- $'files\tx'
first -c 'ca' -- $'commands\tca'
first -n 'BEGIN { trace(exec' -- $'words\texec'
first --form -- $'whole\t--form'

# --- every prefix of a program, and of garbage: no crash, no message ----------------------------------------
for text in "$(tr '\n' ' ' <examples/opens.d | tail -c 700)" $'a:b:c:d:e { self->x[1].y->z @q $$ `" \\ /* {{{ args[-1]->x args[999999999999]->' $'\xff\xfe:\x80{'; do
	for ((i = 0; i <= ${#text}; i += 7)); do
		"$DTX" --complete -- -n "${text:0:i}" >"$tmp/got" 2>"$tmp/err" || fail "status $? after: ${text:0:i}"
		[ ! -s "$tmp/err" ] || fail "after '${text:0:i}': $(cat "$tmp/err")"
	done
done

# --- the functions of the shells -------------------------------------------------------------------------------
mkdir "$tmp/bin"
ln -s "$(readlink -f "$DTX")" "$tmp/bin/dtx"
export PATH=$tmp/bin:$PATH

in_bash() { # LINE: what readline would put in place
	bash --norc -c '. completion/dtx.bash
		COMP_LINE=$1 COMP_POINT=${#1}; _dtx; printf "%s\n" "${COMPREPLY[@]}"' - "$1"
}
# With a second candidate, readline does not close the quote: there is more to come.
same $'syscall::read:entry { args.count\nsyscall::read:entry { args.count ' "$(in_bash "dtx -n 'syscall::read:entry { args.cou")" "bash, inside of quotes"
same "start" "$(in_bash 'dtx -n io:::st')" "bash, after a colon without quotes"
same $'bufpolicy' "$(in_bash 'dtx -x bufp')" "bash, -x"
same $'ring\nfill\nswitch' "$(in_bash 'dtx -x bufpolicy=')" "bash, values"
same "examples/opens.d" "$(in_bash 'dtx -s examples/opens.d')" "bash, files"

in_zsh() { # WORD…: the candidates; the last word is at the cursor
	zsh -f -c 'fpath=(completion $fpath); autoload -U _dtx
		compadd() { print -l -- "${candidates[@]}" }
		compset() { : }
		_files() { print files }
		words=("$@") CURRENT=$# PREFIX=$@[$#]
		_dtx' - "$@"
}
# Only what follows the part of the word that stays.
same "count" "$(in_zsh dtx -n 'syscall::read:entry { args.cou')" "zsh"
same files "$(in_zsh dtx -s 'exam')" "zsh, files"

in_fish() { fish --no-config -c 'source completion/dtx.fish; complete -C"$argv[1]"' "$1" | cut -f 1; }
# Two candidates, as in bash: fish does not close the quote then.
same $'syscall::read:entry { args.count\nsyscall::read:entry { args.count ' "$(in_fish "dtx -n 'syscall::read:entry { args.cou")" "fish, inside of quotes"
same "bufpolicy" "$(in_fish "dtx -x bufp")" "fish, -x"
# The forms of --stacks, and the names of processes.
same 'folded= pprof= svg=' "$("$DTX" --complete -- --stacks '' | sed 1d | cut -f 1 | xargs)" '--stacks'
same 'files	a' "$("$DTX" --complete -- --stacks svg=a)" '--stacks svg='
"$DTX" --complete -- --comm bas | cut -f 1 | grep -qx bash || fail '--comm has no bash'

# Any user may call a process so.
odd=('zq$(echo x)' 'zq"`id`"\' "zq';id;'" 'zq a&b!' $'zq\e]0;x\a')
gcc -x c -o "$tmp/called" - <<'END' || fail 'gcc'
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int n, char **args) { prctl(PR_SET_NAME, args[1]); puts("ready"); fflush(stdout); pause(); }
END
for name in "${odd[@]}"; do
	"$tmp/called" "$name" >"$tmp/out" &
	pids+=($!)
	begun
	rm "$tmp/out"
done
trap 'kill "${pids[@]}"; rm -rf "$tmp"' EXIT
for quote in '' '"' "'"; do
	mapfile -t replies < <(in_bash "dtx --comm ${quote}zq")
	for reply in "${replies[@]}"; do eval "printf '%s\n' $quote$reply$quote"; done | sort -u >"$tmp/words"
	same "$(printf '%s\n' "${odd[@]:0:4}" | sort)" "$(cat "$tmp/words")" "bash, after $quote"
done
! "$DTX" --complete -- --comm zq | grep -q $'\e' || fail 'a name acts on the terminal'
! "$DTX" --complete -- -p "${pids[4]}" | grep -q $'\e' || fail 'a name acts on the terminal'
"$DTX" --complete -- -p "${pids[4]}" | grep -qF 'zq\x1b]0;x\x07' || fail 'a process is missing'
