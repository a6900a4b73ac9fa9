#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# --features has a row for each ability, and --doctor one for each provider, that agree with what can be done.
. "$(dirname "$0")/../lib.sh"

dtx --features
rows=$(grep -c '^FEATURE(' include/dtx/tables/features.def)
[ "$(grep -cE '^[a-z_.-]+ +(yes|no ) ' "$tmp/out")" = "$rows" ] || fail "not $rows rows: $(cat "$tmp/out")"
grep -qE '^ringbuf +yes' "$tmp/out" || fail 'no ring buffer, but the other tests run'

dtx --doctor
while read -r name; do
	verdict=$(awk -v name="$name" '$1 == name { print $2 }' "$tmp/out")
	case $name in
	profile) probe=tick-1s ;; syscall) probe=syscall::read:entry ;; tracepoint) probe=tracepoint:sched::sched_switch ;;
	rawtp) probe=rawtp:sched::sched_switch ;; fbt) probe=fbt::vfs_read:entry ;; uprobe) probe=uprobe:libc:malloc ;;
	dtrace) probe=END ;; *) [ -n "$verdict" ] || fail "no row for $name"; continue ;;
	esac
	"$DTX" -qn "BEGIN { exit(0); } $probe { }" >/dev/null 2>&1 && does=yes || does=no
	[ "$verdict" = $does ] || fail "$name: the doctor says '$verdict', but a probe of it: $does: $(cat "$tmp/out")"
done < <(sed -n 's/^PROVIDER(\([a-z0-9]*\),.*/\1/p' include/dtx/tables/providers.def)
