#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# truth: static functions of one name in several files | firings of fbt, rawfbt, entry and return, by name, glob and address | the files of /sys whose reading calls them
# truth: functions of which there are clones | what is told of the exact name | /proc/kallsyms
#
# A name that several functions have stands for all of them; an address stands for one. Their arguments have no types.
# Of a function that has clones, or only clones, it is told, also if it is named exactly.
. "$(dirname "$0")/../lib.sh"

files=()
for f in /sys/class/net/lo/type /sys/bus/event_source/devices/software/type /sys/firmware/memmap/0/type; do [ -r $f ] && files+=("$f"); done
several=$(grep -c ' t type_show$' /proc/kallsyms)
if [ "$several" -lt 2 ] || [ ${#files[@]} -lt 2 ]; then skip "type_show is no name of several functions that can be called here"; fi

# count DESCRIPTION: how often it fires in the reading of these files, one function for each.
count() { dtx -qn "$1 /pid == \$target/ { n++; } END { printf(\"fired %d\n\", n); }" -c "cat ${files[*]}" && sed -n 's/.*fired //p' "$tmp/out"; }
for what in fbt::type_show:entry fbt::type_show:return fbt:vmlinux:type_sho[w]:entry rawfbt::type_show:entry rawfbt::type_show:return; do
	same ${#files[@]} "$(count "$what")" "$what of $several functions"
done
dtx -qn 'fbt::type_show:entry /pid == $target/ { @[stackdepth > 3, arg2 != 0] = count(); } fbt::type_show:return /pid == $target/ { @r[arg1 > 0] = count(); }
	END { printa("= %d %d %@d\n", @); printa("= %d %@d\n", @r); }' -c "cat ${files[*]}"
same "= 1 1 ${#files[@]}
= 1 ${#files[@]}" "$(grep '^=' "$tmp/out")" 'with the stack, and both sides'
same 1 "$("$DTX" -ln 'fbt::type_show:entry' | grep -c type_show)" 'it is listed once'
# With its places: all the addresses that there are, with what is before each.
"$DTX" -lvn 'fbt::type_show:entry' >"$tmp/listed" 2>"$tmp/err"
same "$(awk '$3 == "type_show" { print "0x" $1 }' /proc/kallsyms | sort)" \
	"$(sed -nE 's/^\t\t(0x[0-9a-f]+) (behind [a-zA-Z0-9_.]+|[^ ]+\.[ch]:[0-9]+)$/\1/p' "$tmp/listed" | sort)" "the places: $(cat "$tmp/listed")"

# By address: each alone, all together.
sum=0
for addr in $(awk '$3 == "type_show" { print "0x" $1 }' /proc/kallsyms | head -40); do
	echo "kprobe:$addr /pid == \$target/ { @[\"$addr\"] = count(); }"
done >"$tmp/each.d"
echo 'END { printa("%s %@d\n", @); }' >>"$tmp/each.d"
dtx -qs "$tmp/each.d" -c "cat ${files[*]}"
sum=$(awk '/^0x/ { n += $2 } END { print n + 0 }' "$tmp/out")
same ${#files[@]} "$sum" "by address: $(cat "$tmp/out" "$tmp/err")"

refused 'functions of this name, and their parameters may differ' -n 'fbt::type_show:entry { trace(args[0]); }'
refused 'functions of this name' -n 'kprobe:type_show+0x5 { }'

# Clones.
awk '$2 ~ /[tT]/ && NF == 3 { print $3 }' /proc/kallsyms | sort | uniq -u >"$tmp/names"
grep -E '^[a-z_0-9]+\.(isra|constprop|part)\.0$' "$tmp/names" | sort >"$tmp/clones"
sed 's/\..*//' "$tmp/clones" | sort -u >"$tmp/of"
sed -nE 's/^([a-z_0-9]+)$/\1/p' /sys/kernel/tracing/available_filter_functions | sort | uniq -u >"$tmp/whole"
both=$(comm -12 "$tmp/of" "$tmp/whole" | grep -xFf "$tmp/names" | head -1)
only=$(comm -23 "$tmp/of" <(sort -u "$tmp/names") | head -1)
if [ -n "$both" ]; then
	dtx -qn "fbt::$both:entry { } tick-10ms { exit(0); }"
	grep -q "not probed: $both\.[a-z]*\.0.*: it is a clone made by the compiler" "$tmp/err" || fail "$both: $(cat "$tmp/err")"
	grep -q "rawfbt::$both" "$tmp/err" || fail "$both: rawfbt is not named: $(cat "$tmp/err")"
fi
if [ -n "$only" ]; then
	refused "the compiler has left only clones of it, whose arguments are unknown: $only." -n "fbt::$only:entry { }"
	refused "rawfbt::$only" -n "fbt::$only:entry { }"
	dtx -qn "rawfbt::$only.*:entry { } tick-10ms { exit(0); }"
fi
[ -n "$both$only" ] || fail 'this kernel has no clones'
