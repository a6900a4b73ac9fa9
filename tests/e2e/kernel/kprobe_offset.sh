#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes objdump
# where: guest
# timeout: 60
#
# kprobe:f+OFFSET: probes at every instruction of a function that objdump finds in the running kernel count what
# its entry counts, up to where its ways part; a place inside an instruction and one behind the function are
# refused, with the nearest ones.
. "$(dirname "$0")/../lib.sh"
f=${sys}getpgid
cat /proc/kallsyms >"$tmp/symbols"
start=$(awk -v f=$f '$3 == f { print $1 }' "$tmp/symbols")
end=$(awk -v at="x$start" '$2 ~ /[tT]/ && (x = "x" $1) > at && (end == "" || x < end) { end = x } END { print substr(end, 2) }' "$tmp/symbols")
[ -r /proc/kcore ] || skip "no /proc/kcore here"
# objdump itself would read the whole of kcore.
read -r offset address < <(readelf -Wl /proc/kcore | awk -v at="0x$start" '$1 == "LOAD" && $3 <= at { o = $2; a = $3 } END { print o, a }')
dd if=/proc/kcore of="$tmp/bytes" iflag=skip_bytes,count_bytes skip=$((offset + 0x$start - address)) count=$((0x$end - 0x$start)) status=none
objdump -wD -b binary -m "$MACHINE" --adjust-vma="0x$start" "$tmp/bytes" >"$tmp/code"
cat "$tmp/code"
# The offsets at which instructions begin, up to the first jump (the way through the function parts there).
awk -v start="$start" '$1 ~ /^[0-9a-f]+:$/ {
		print substr($1, 1, length($1) - 1)
		if ($0 ~ /\t(j|ret|call|b[. l]|cb|tb)/ && NR > 8) exit
	}' "$tmp/code" >"$tmp/at"
offsets=()
while read -r at; do offsets+=("$(printf %x $((0x$at - 0x$start)))"); done <"$tmp/at"
[ ${#offsets[@]} -ge 3 ] || { cat "$tmp/code" >&2; fail "no instructions of $f"; }

program="fbt::$f:entry /pid == \$target/ { @[\"entry\"] = count(); }"
for offset in "${offsets[@]}"; do
	program+=" kprobe:$f+0x$offset /pid == \$target/ { @[probename] = count(); }"
done
dtx -n "$program" -c "$t/threads 1 500 syscall"
n=$(value entry)
[ "$n" -ge 500 ] || { cat "$tmp/out" "$tmp/err" >&2; fail "$f was entered $n times"; }
# The kernel refuses a place that it patches itself (arm64: the call of its tracer), which dtx says.
for offset in "${offsets[@]}"; do
	[ "$(value "0x$offset")" = "$n" ] || grep -q "not attached: .*:0x$offset: the kernel refuses" "$tmp/err" ||
		fail "$f+0x$offset: $(value "0x$offset"), entry: $n"
done

# The first bytes of the function: listed is what objdump has, as far as it was asked.
awk '$1 ~ /^[0-9a-f]+:$/ { print substr($1, 1, length($1) - 1) }' "$tmp/code" | while read -r at; do
	printf '%x\n' $((0x$at - 0x$start))
done >"$tmp/all"
"$DTX" -ln "$(printf "kprobe:$f+%d," {0..23} | sed 's/,$//')" >"$tmp/out" 2>"$tmp/err"
same "$(while read -r at; do [ $((0x$at)) -ge 24 ] || echo "$at"; done <"$tmp/all" | sort)" \
	"$(awk '$2 == "fbt" { print substr($5, 3) }' "$tmp/out" | sort)" "where instructions begin"
inside=$(comm -13 <(sort "$tmp/all") <(for ((i = 1; i < 24; i++)); do printf '%x\n' $i; done | sort) | head -n 1)
"$DTX" -n "kprobe:$f+0x$inside { }" 2>"$tmp/err" && fail "$f+0x$inside is taken"
grep -q "no instruction of $f begins at 0x$inside; the nearest begin at" "$tmp/err" || { cat "$tmp/err" >&2; fail "not refused so"; }
"$DTX" -n "kprobe:$f+0x100000 { }" 2>"$tmp/err" && fail "a place behind the function is taken"
grep -q "$f has only 0x" "$tmp/err" || { cat "$tmp/err" >&2; fail "not refused so"; }

# A number without 0x is no offset, and the listed name is one that can be enabled.
for place in "$f:12" "fbt::$f:12" "kprobe:$f:12"; do
	"$DTX" -n "$place { }" 2>"$tmp/err" && fail "$place is taken"
	grep -q "a plain number after a function of the kernel is a line.*kprobe:$f+0x12" "$tmp/err" || fail "$place: $(cat "$tmp/err")"
done
same 2 "$("$DTX" -ln "fbt::$f:0x0" | wc -l)" 'a place as it is listed'
