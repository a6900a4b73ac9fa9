#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root setpriv
# where: native
#
# packaging/systemd/dtx-metrics@.service: the command that it starts runs with the rights that it gives, and no others.
. "$(dirname "$0")/../lib.sh"
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'
unit=packaging/systemd/dtx-metrics@.service

rights=$(sed -n 's/^CapabilityBoundingSet=//p' $unit | tr A-Z a-z | sed 's/ *cap_/,+/g')
[ -n "$rights" ] || fail 'the unit names no rights'
before=$(cat /proc/sys/kernel/bpf_stats_enabled)
trap 'echo "$before" >/proc/sys/kernel/bpf_stats_enabled; rm -rf "$tmp"' EXIT
eval "$(sed -n 's,^ExecStartPre=+/sbin/sysctl -q kernel.bpf_stats_enabled=\([01]\)$,stats=\1,p' $unit)"
echo "${stats:?}" >/proc/sys/kernel/bpf_stats_enabled || fail 'sysctl'
echo 'syscall::read:entry { @reads[execname] = count(); } profile-97 { @on[stack()] = count(); } tick-1s { exit(0); }' >"$tmp/x.d"
read -ra command <<<"$(sed -n 's,^ExecStart=/usr/bin/dtx ,,p' $unit | sed -e 's/%%/%/g' -e 's/\${DTX_SERVE}/0/' -e 's/ \$DTX_OPTIONS//' -e "s,/etc/dtx/%i.d,$tmp/x.d,")"
setpriv --bounding-set="-all$rights" --inh-caps=-all --no-new-privs "$DTX" "${command[@]}" >"$tmp/out" 2>"$tmp/err" ||
	fail "it ends with $?: $(cat "$tmp/err")"
same 'dtx: serving' "$(cut -d' ' -f1-2 "$tmp/err")" 'messages'
