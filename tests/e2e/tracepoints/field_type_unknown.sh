#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# where: both
# truth: tracepoint fields of a type that is known nowhere | size and sign of the type that they get | the format of the event
#
# A field whose type only a module declares, one without types (BTF), is the number that the kernel's format describes. Here
# the kernel's own types have other names than the formats say.
. "$(dirname "$0")/../lib.sh"
events=/sys/kernel/tracing/events
[ -r $events/sched/sched_switch/format ] || skip 'this kernel has no event formats'

# Types that modules declare are known there.
for of in /sys/kernel/btf/*; do
	[ "$of" = /sys/kernel/btf/vmlinux ] || tr '\0' '\n' <"$of" | grep -axE '[a-z0-9_]+_t'
done >"$tmp/modules"

# GROUP EVENT FIELD SIZE SIGNED TYPE: one of each type whose name is not one that D has.
own=' int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ssize_t pid_t uid_t gid_t dev_t ino_t off_t loff_t '
grep -HE 'field:[a-z0-9_]+_t [a-z0-9_]+;' $events/*/*/format | grep -vE '/(syscalls|ftrace)/|common_' |
	sed -nE "s|$events/([^/]*)/([^/]*)/format:\tfield:([a-z0-9_]+) ([a-z0-9_]+);\toffset:[0-9]+;\tsize:([1248]);\tsigned:([01]);|\1 \2 \4 \5 \6 \3|p" |
	grep -vwFf "$tmp/modules" |
	awk -v own="$own" '!index(own, " " $6 " ") && !($6 in seen) && !(($1, $2) in used) { seen[$6] = used[$1, $2] = 1; print }' |
	head -40 >"$tmp/fields"
[ -s "$tmp/fields" ] || skip 'no event has a field of such a type'

awk '{ print "s/\\b" $6 "\\b/Q" substr($6, 2) "/g" }' "$tmp/fields" | sed -f - /sys/kernel/btf/vmlinux >"$tmp/btf"
awk '{ print "tracepoint:" $1 "::" $2 " { trace(args." $3 "); }" }' "$tmp/fields" >"$tmp/fields.d"
dtx -x ctfpath="$tmp/btf" -S typed -s "$tmp/fields.d"
same "$(awk '{ print ($5 ? "" : "u") "int" $4 * 8 "_t" }' "$tmp/fields")" \
	"$(sed -n 's/^ *argument args.* : //p' "$tmp/out")" "$(cat "$tmp/fields" "$tmp/err")"

# A declaration in the program is taken where it fits.
read -r group event field _ _ type < <(awk '$4 == 8 && !$5' "$tmp/fields") || exit 0
dtx -x ctfpath="$tmp/btf" -S typed -n "typedef unsigned long $type; tracepoint:$group::$event { trace(args.$field); }"
grep -qE " : ($type|unsigned long)$" "$tmp/out" || fail "not the declared type: $(cat "$tmp/out" "$tmp/err")"
