#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# where: both
#
# A member of a stable type that the kernel cannot fill is told, once a reason, where the program uses it; one that it can fill
# is not, nor one that only the library uses.
. "$(dirname "$0")/../lib.sh"

told() { # PROGRAM MEMBER…: these are told, in this order, and no other
	dtx -en "$1"
	shift
	same "$*" "$(sed -n "s/.*note: '\([a-z_]*\)' is not available here: ..*/\1/p" "$tmp/err" | paste -sd ' ')" "$(cat "$tmp/err")"
}

if [ -z "$DTX_GUEST" ]; then # where compiling takes seconds
	told 'io:::start { @[args[2]->fi_pathname, args[2]->fi_name] = sum(args[0]->b_bcount); }' fi_pathname
	told 'io:::start, io:::done { @[args[1]->dev_statname, args[1]->dev_major] = sum(args[0]->b_bcount); }'
	told 'io:::done { trace(args[1]->dev_pathname); trace(args[1]->dev_instance); }' dev_pathname dev_instance
	told 'syscall::read:entry { trace(fds[arg0].fi_pathname); trace(fds[arg0].fi_mount); trace(fds[0].fi_mount); }' fi_mount
	told 'BEGIN { trace(curpsinfo->pr_pid); trace(curpsinfo->pr_zoneid); trace(curpsinfo->pr_projid); trace(curlwpsinfo->pr_wchan); }' pr_zoneid pr_wchan
	told 'BEGIN { trace(curcpu->cpu_id); trace(curcpu->cpu_lgrp); }' cpu_lgrp
	told 'typedef struct mine { int pr_zoneid; } psinfo_u; translator psinfo_u < int A > { pr_zoneid = A; }; BEGIN { trace(xlate <psinfo_u>(3).pr_zoneid); }'
fi

# Without functions, what is received is seen before the socket is known.
packets='tcp:::receive { trace(args[3]->tcps_lport); trace(args[4]->tcp_seq); trace(args[3]->tcps_rtt); trace(args[1]->cs_cid); }
	udp:::receive { trace(args[3]->udps_lport); trace(args[3]->udps_addr); }
	ip:::receive { trace(args[2]->ip_saddr); trace(args[1]->cs_addr); }
	tcp:::send { trace(args[3]->tcps_rtt); trace(args[1]->cs_cid); }'
if dtx -ln 'fbt::ip_local_deliver:entry' && grep -q ip_local_deliver "$tmp/out"; then
	told "$packets"
else
	told "$packets" tcps_rtt cs_cid udps_addr
	# Probes that have places on functions and on events.
	for probe in io:::wait-start sched:::change-pri tcp:::state-change; do
		dtx -en "$probe { }"
		grep -qE "note: $probe fires only at rawtp:[a-z]*::[a-z_]* here, not at 'fbt::[a-z_]*:[a-z]*': functions cannot be probed" "$tmp/err" ||
			fail "$probe: $(cat "$tmp/err")"
	done
	dtx -en 'sched:::off-cpu, sched:::on-cpu, ip:::send, tcp:::receive { }'
	same '' "$(cat "$tmp/err")" 'notes of probes that have all their places'
fi
