#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf root
#
# tcplife.d, tcpstates.d and tcpconnlat.d with -p: all that happens to the connections of that process, whoever runs when it does, over
# two devices and between two network namespaces; and none of the other process.
# truth: tools, -p over a network | states, bytes and ends of connections | the two programs' own, in namespaces of the test
. "$(dirname "$0")/../lib.sh"

type ip python3 >/dev/null 2>&1 || skip 'no ip or python3'
space=dtx$$
ip netns add "$space" 2>/dev/null || skip 'no network namespaces'
trap 'kill $pids 2>/dev/null; ip link del "d$$" 2>/dev/null; ip netns del "$space"; rm -rf "$tmp"' EXIT
pids=
ip link add "d$$" type veth peer name e0 netns "$space" 2>/dev/null || skip 'no veth devices'
ip addr add 10.213.7.1/24 dev "d$$" && ip link set "d$$" up &&
	ip -n "$space" addr add 10.213.7.2/24 dev e0 && ip -n "$space" link set e0 up && ip -n "$space" link set lo up || fail 'no addresses'

# The server listens since before dtx; it answers and closes first. The third connection finds nobody.
cat >"$tmp/server.py" <<'END'
import socket, sys
listener = socket.create_server(('10.213.7.2', 7007))
print('listens', flush=True)
for i in range(2):
    peer = listener.accept()[0]
    while len(peer.recv(4096, socket.MSG_PEEK)) < 500: pass
    peer.recv(500)
    peer.sendall(b'x' * 700)
    peer.close()
sys.stdin.readline()
END
cat >"$tmp/client.py" <<'END'
import socket, sys
for port in (7007, 7007, 7008):
    sys.stdin.readline()
    s = socket.socket()
    try:
        s.connect(('10.213.7.2', port))
        s.sendall(b'y' * 500)
        while s.recv(4096): pass
    except ConnectionRefusedError: pass
    s.close()
    print('done', flush=True)
sys.stdin.readline()
END

# watched TOOL WHO LINES: what it shows of one of the two, so many lines after the heading.
watched() {
	local said=$tmp/out
	rm -f "$tmp"/to.* "$said"
	mkfifo "$tmp/to.client" "$tmp/to.server"
	ip netns exec "$space" python3 "$tmp/server.py" <"$tmp/to.server" >"$tmp/server" 2>&1 & server=$!
	python3 "$tmp/client.py" <"$tmp/to.client" >"$tmp/client" 2>&1 & client=$!
	exec 3>"$tmp/to.server" 4>"$tmp/to.client"
	pids="$client $server"
	awaits grep -qs listens "$tmp/server"
	"$DTX" "$1" -p "${!2}" >"$said" 2>"$tmp/err" 3>&- 4>&- & pids="$pids $!"
	begun PROGRAM
	for i in 1 2 3; do
		echo go >&4
		awaits lines $i "$tmp/client"
	done
	awaits lines $(($3 + 1)) "$said"
	exec 3>&- 4>&-
	wait $pids
	! grep -E 'warning|error' "$tmp/err" || fail "$1 -p $2: $(cat "$tmp/err")"
}
lines() { [ "$(wc -l <"$2")" -ge "$1" ]; }

here=10.213.7.1 there=10.213.7.2
opened='CLOSE SYN_SENT
SYN_SENT ESTABLISHED
ESTABLISHED CLOSE_WAIT
CLOSE_WAIT LAST_ACK
LAST_ACK CLOSE'
closed='ESTABLISHED FIN_WAIT1
FIN_WAIT1 FIN_WAIT2
FIN_WAIT2 CLOSE'
states() { awk -v here="$1" 'NR > 1 && $3 == here { print $7, $8 }' "$tmp/out"; }
watched tcpstates client 12
same "$opened
$opened
CLOSE SYN_SENT
SYN_SENT CLOSE" "$(states $here)" 'states of the client'
# It waited in accept before dtx began: who listens is known from the return on.
watched tcpstates server 8
same "$closed
LISTEN SYN_RECV
SYN_RECV ESTABLISHED
$closed" "$(states $there)" 'states of the server'

ends() { awk 'NR > 1 && NF { print $3, $5, $4 == 7007 ? $4 : $6, $7, $8 }' "$tmp/out"; }
watched tcplife client 3
same "$here $there 7007 500 700
$here $there 7007 500 700
$here $there 7008 0 0" "$(ends)" 'ends of the client'
watched tcplife server 2
same "$there $here 7007 700 500
$there $here 7007 700 500" "$(ends)" 'ends of the server'

watched tcpconnlat client 3
same 'established
established
refused' "$(awk 'NR > 1 && NF { print $7 }' "$tmp/out")" 'connects of the client'
watched tcpconnlat server 0
same 0 "$(grep -c 7007 "$tmp/out")" 'connects of the server'
