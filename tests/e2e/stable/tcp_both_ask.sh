#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: native
#
# A socket that connects to itself: both SYNs cross, it goes through syn-received, and nobody accepts it. An ordinary
# connection is beside it.
# truth: tcp:::connect-established, accept-established, SYNs that cross | which, how often | the program's own calls
# truth: mib:::tcpPassiveOpens, SYNs that cross | how often | /proc/net/snmp
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/both.py" <<'PY'
import socket
def opens():
    names, values = [l.split() for l in open("/proc/net/snmp") if l.startswith("Tcp:")]
    return int(values[names.index("PassiveOpens")])
before = opens()
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.connect(s.getsockname())
s.send(b"hello"); assert s.recv(5) == b"hello"
l = socket.socket(); l.bind(("127.0.0.1", 0)); l.listen(1)
c = socket.socket(); c.connect(l.getsockname()); a, _ = l.accept()
own, of, to = s.getsockname()[1], c.getsockname()[1], l.getsockname()[1]
print("want accept-established %d %d 1\nwant connect-established %d %d 1\nwant connect-established %d %d 1" % (to, of, own, own, of, to))
print("opens", opens() - before)
PY
dtx -qn 'tcp:::connect-established, tcp:::accept-established /pid == $target/ { @[probename, args[3]->tcps_lport, args[3]->tcps_rport] = count(); }
	mib:::tcpPassiveOpens /pid == $target/ { @opens = count(); }
	END { printa("%s %d %d %@d\n", @); printa("told %@d\n", @opens); }' -c "python3 $tmp/both.py"
same "$(sed -n 's/^want //p' "$tmp/out" | sort)" "$(grep -E '^(accept|connect)-' "$tmp/out" | sort)" "$(cat "$tmp/err")"
# Others on this machine may open connections, too.
told=$(sed -n 's/^told //p' "$tmp/out") counted=$(sed -n 's/^opens //p' "$tmp/out")
[ "$told" = 1 ] && [ "$counted" -ge 1 ] || fail "opens of peers: $told, not 1; the kernel counts $counted"
