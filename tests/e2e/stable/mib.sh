#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# timeout: 60
#
# mib: what tests/trigger/talk adds to the statistics of the network. What happens in its own context is counted exactly;
# the other end is not the program, and what others do meanwhile counts too.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/mib.d" <<-'END'
	#pragma D option quiet
	mib:::udpOutDatagrams, mib:::tcpActiveOpens /pid == $target/ { @exact[probename] = sum(arg0); }
	mib:::tcpPassiveOpens, mib:::udpInDatagrams, mib:::tcpOutRsts, mib:::tcpInDataInorderBytes, mib:::tcpOutDataBytes {
		@all[probename] = sum(arg0);
	}
END
dtx -s "$tmp/mib.d" -c "$t/talk 127.0.0.1"
same "tcpActiveOpens 2
udpOutDatagrams 3" "$(awk '/^  (tcpActive|udpOut)/ { print $1, $2 }' "$tmp/out" | sort)" "the statistics of the program"
while read -r name least; do
	[ "$(value "$name")" -ge "$least" ] || fail "$name is $(value "$name"), less than the program's $least"
done <<-END
	tcpPassiveOpens 1
	udpInDatagrams 3
	tcpOutRsts 1
	tcpInDataInorderBytes 21705
	tcpOutDataBytes 21705
END
