#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf cpp
# timeout: 120
#
# Each row of foreign.def: what it says is D compiles here; a program that uses the name is told what to write instead, which is not
# what it wrote; a program may declare those that stay undefined.
. "$(dirname "$0")/../lib.sh"

# KIND, name, D, what that is, why not, with U+001F between them: strings beside each other are one, a comma ends a field.
table=include/dtx/tables/foreign.def
cpp -P -D'TOOL="dtx"' -D'FOREIGN(kind, ...)=@kind, __VA_ARGS__' $table | awk '
	/^@/ {
		out = ""; text = 0
		for (i = 2; i <= length($0); i++) {
			c = substr($0, i, 1)
			if (c == "\"") text = !text
			else if (text && c == "\\") out = out substr($0, ++i, 1)
			else if (!text && c == ",") out = out "\037"
			else if (text || c != " ") out = out c
		}
		print out
	}' >"$tmp/rows"
same "$(grep -c '^FOREIGN(' $table)" "$(wc -l <"$tmp/rows")" 'the rows are not found'

# ---- what is D compiles -------------------------------------------------------------------------------------------
probe() {       # DESCRIPTION: what it names is looked up below, all at once
	case $1 in
	fbt::*) cut -d: -f3 <<<"$1" >>"$tmp/functions" ;;
	fbt:*) ;;
	tracepoint:*) tr : / <<<"${1#*:}" >>"$tmp/events" ;;
	*) echo "${1%%:*} ${1##*:}" >>"$tmp/stable" ;;
	esac
	echo "$1 { }"
}
symbols=
! grep -q ' init_task$' /proc/kallsyms || symbols=1

clause() {      # KIND D
	case $1 in
	FUNCTION | MODULE | PROBE) probe "$2" ;;
	CALL) echo "syscall::$2:entry { }" ;;
	TYPE) echo "BEGIN { trace(sizeof($2)); }" ;;
	*) case $2 in
		*'`'[!j]*) [ "$symbols" ] || return 0 ;;
		esac
		case $2 in
		*\;*) echo "BEGIN { $2 }" ;;
		curcpu) echo "BEGIN { trace($2->cpu_id); }" ;;
		'fds[n]') echo "BEGIN { trace($2.fi_fs); }" ;;
		*_ns.name | *.tasks | *init_mm) echo "BEGIN { trace(&$2); }" ;;      # an object, not a number
		print* | tracemem*) echo "BEGIN { $2; }" ;;
		*) echo "BEGIN { trace($2); }" ;;
		esac ;;
	esac
}

cat >"$tmp/all.d" <<'D'
struct T { int member; };
int condition, n;
void *p;
inline int size = 8;
inline uintptr_t address = 0;
inline struct task_struct *pointer = curthread;
inline struct sk_buff *skb = 0;
D
while IFS=$'\037' read -r kind name d is why; do
	[ -z "$d" ] || clause "$kind" "$d"
	grep -oE 'struct [a-z_0-9]+' <<<"$is" | while read -r type; do clause TYPE "$type"; done
	grep -oE '\b(fbt|tracepoint|[a-z]+::):[a-z_0-9]*:[a-z_0-9*-]*(:[a-z_-]+)?\b' <<<"$is" | while read -r desc; do probe "$desc"; done
done <"$tmp/rows" | sort -u >>"$tmp/all.d"
"$DTX" -ewCZs "$tmp/all.d" 2>"$tmp/err" || fail "what a row says is D does not compile: $(cat "$tmp/err")"
if grep 'not available' "$tmp/err"; then fail 'what a row says is D has no value'; fi
[ "$(grep -c '{' "$tmp/all.d")" -gt 60 ] || fail "too little was compiled: $(cat "$tmp/all.d")"
tracing=/sys/kernel/tracing
if head -c 1 $tracing/available_filter_functions >"$tmp/out" 2>&1; then
	while read -r glob; do
		grep -qE "^${glob//\*/.*}( |\$)" $tracing/available_filter_functions || fail "no function $glob"
	done < <(sort -u "$tmp/functions")
	while read -r event; do
		[ -d "$tracing/events/$event" ] || fail "no event $event"
	done < <(sort -u "$tmp/events")
	# shellcheck disable=SC2046
	"$DTX" -l $(cut -d' ' -f1 "$tmp/stable" | sort -u | sed 's/^/-P /') >"$tmp/list" || fail 'not listed'
	while read -r provider name; do
		grep -qE " $provider .* $name\$" "$tmp/list" || fail "no probe $provider:::$name"
	done < <(sort -u "$tmp/stable")
fi
[ -z "${DTX_GUEST:-}" ] || exit 0       # the rest is the same on each kernel

# ---- each name is told ------------------------------------------------------------------------------------------------
told() {        # KIND NAME TEXT WROTE
	grep -qF -- "$3" "$tmp/err" || fail "$1 $2: not told '$3', but: $(cat "$tmp/err")"
	if grep -E 'Linux has|help:' "$tmp/err" | sed -E 's/.*(Linux has|on Linux:)//' | grep -qwF -- "$4"; then fail "$1 $2: told to write $4, which it did"; fi
}

while IFS=$'\037' read -r kind name d is why; do
	program=$tmp/program.d options=-e wrote=
	instead=$d$is
	case $kind in
	SYMBOL)   wrote="\`$name"; echo "BEGIN { trace($wrote); }" ;;
	TYPE)     wrote=$name; echo "BEGIN { this->p = ($name *)0; }" ;;
	MEMBER)   wrote="curthread->$name"; echo "BEGIN { trace($wrote); }" ;;
	HEADER)   wrote="<$name>" options="-e -C"; printf '#include <%s>\n#include <no/such/header.h>\nBEGIN { }\n' "$name" ;;
	FUNCTION) wrote="fbt::${name//\*/_none}:entry"; echo "$wrote { }"; case $name in *\**) continue ;; esac ;;
	MODULE)   wrote="fbt:$name::entry"; echo "$wrote { }" ;;
	CALL)     wrote="syscall::$name:entry"; echo "$wrote { }"; instead=syscall::$instead:entry ;;
	PROBE)    wrote="sdt:::$name"; echo "$wrote { }" ;;
	ABSENT | BPFTRACE)
		for use in "trace($name)" "$name(1)"; do
			"$DTX" -en "BEGIN { $use; }" >/dev/null 2>"$tmp/err" && fail "$use is accepted"
			told "$kind" "$name" "= help: $instead" "$use"
			grep -qF "'$name' is ${why:+not possible on Linux: $why}" "$tmp/err" || fail "$use: no reason: $(cat "$tmp/err")"
		done
		echo "int $name; BEGIN { $name = 1; }" >>"$tmp/declared.d"
		continue ;;
	*)        fail "a kind without a test: $kind" ;;
	esac >"$program"
	# shellcheck disable=SC2086
	"$DTX" $options -s "$program" 2>"$tmp/err" && [ "$kind" != CALL ] && continue    # the kernel has it
	told "$kind" "$name" "$instead" "$wrote"
done <"$tmp/rows"
# A name that C has too (assert, find …) is a variable like others.
"$DTX" -es "$tmp/declared.d" || fail 'a program cannot have one of the names'

# A type as a tag, and in a declaration.
"$DTX" -e -n 'BEGIN { trace(((struct vnode *)0)->v_path); }' 2>"$tmp/err" && fail "taken"
grep -qF "'vnode' is not a type on Linux: struct inode" "$tmp/err" || fail "$(cat "$tmp/err")"
printf 'self proc_t *p;\nBEGIN { }\n' >"$tmp/program.d"
"$DTX" -e -s "$tmp/program.d" 2>"$tmp/err" && fail "taken"
grep -qF "'proc_t' is not a type on Linux: struct task_struct" "$tmp/err" || fail "$(cat "$tmp/err")"

# A note only where no other probe of the program sees what programs call now.
"$DTX" -e -n 'syscall::open:entry, syscall::openat:entry { } syscall::stat*:entry { }' 2>"$tmp/err" || fail "refused"
same "" "$(cat "$tmp/err")" "notes"
"$DTX" -e -n 'syscall::openat:entry { trace(copyinstr(arg0)); }' 2>"$tmp/err" || fail "refused"
grep -qF "arg0 of openat is the number 'dfd': the path is arg1" "$tmp/err" || fail "$(cat "$tmp/err")"
"$DTX" -e -n 'syscall::creat*:entry, syscall::open*:entry { @[execname, copyinstr(arg0)] = count(); }' 2>"$tmp/err"
same 1 "$(grep -cF "arg0 of openat is the number 'dfd': the path is arg1" "$tmp/err")" "arg0 of some of the calls: $(cat "$tmp/err")"
"$DTX" -e -n 'syscall::open*:entry /arg1 & O_CREAT/ { @[execname] = count(); }' 2>"$tmp/err" || fail "refused"
grep -qF "arg1 of openat is the address of 'filename': the flags are arg2" "$tmp/err" || fail "flags of some of the calls: $(cat "$tmp/err")"
"$DTX" -e -n 'syscall::openat:entry /arg2 & O_CREAT/ { } syscall::mmap:entry /arg0 & 0xfff/ { }' 2>"$tmp/err" || fail "refused"
same "" "$(cat "$tmp/err")" "notes on flags"
"$DTX" -e -n 'syscall::creat*:entry { }' 2>"$tmp/err" || fail "refused"
grep -qF "programs rarely make the system call creat now: use syscall::openat:entry" "$tmp/err" || fail "$(cat "$tmp/err")"

# Functions of stable probes are passed over; names that are types and probes here too.
for probe in proc::proc_exit:exit sched::resume:on-cpu io:genunix:bdev_strategy:start; do
	"$DTX" -e -n "$probe { }" 2>"$tmp/err" || fail "refused: $(cat "$tmp/err")"
	grep -q "stands for ${probe%%:*}:::${probe##*:}: probes of this provider have no function" "$tmp/err" || fail "$(cat "$tmp/err")"
done
"$DTX" -e -n 'boolean_t b; BEGIN { b = B_TRUE; trace((boolean_t)0); } sched:::remain-cpu { }' || fail "refused"
