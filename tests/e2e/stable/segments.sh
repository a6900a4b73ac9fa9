#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: both
#
# tcp, udp: each member of the headers of a short connection and two datagrams, as a packet socket sees them.
# truth: tcp:::send, args[4]->tcp_sport | source port of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_dport | destination port of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_seq | sequence number of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_ack | acknowledgement of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_offset | length of the header of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_flags | flags of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_window | window of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_checksum | checksum of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_urgent | urgent pointer of each segment | a packet socket on lo
# truth: tcp:::send, args[4]->tcp_hdr | the ports, by the pointer to the header | a packet socket on lo
# truth: udp:::send, args[4]->udp_hdr | ports and length, by the pointer to the header | a packet socket on lo
# truth: udp:::send, args[4]->udp_sport | source port of each datagram | a packet socket on lo
# truth: udp:::send, args[4]->udp_dport | destination port of each datagram | a packet socket on lo
# truth: udp:::send, args[4]->udp_length | length of each datagram | a packet socket on lo
# truth: udp:::send, datagrams that are cut later (UDP_SEGMENT) | one, its length that of all | a packet socket on lo
# truth: udp:::send, args[4]->udp_checksum | checksum of each datagram | a packet socket on lo
# truth: tcp:::send, args[3]->tcps_lport | own port | getsockname(), getpeername()
# truth: tcp:::send, args[3]->tcps_rport | port of the peer | getsockname(), getpeername()
# truth: tcp:::send, args[3]->tcps_laddr | own address | getsockname(), getpeername()
# truth: tcp:::send, args[3]->tcps_raddr | address of the peer | getsockname(), getpeername()
# truth: udp:::send, args[3]->udps_lport | own port | getsockname(), getpeername()
# truth: udp:::send, args[3]->udps_rport | port of the peer | getsockname(), getpeername()
# truth: udp:::send, args[3]->udps_laddr | own address | getsockname(), getpeername()
# truth: udp:::send, args[3]->udps_raddr | address of the peer | getsockname(), getpeername()
. "$(dirname "$0")/../lib.sh"
modules af_packet

cat >"$tmp/talk.py" <<'PY'
import socket, struct
p = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
p.bind(("lo", 0))
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(1)
c = socket.socket(); c.connect(s.getsockname()); a, _ = s.accept()
c.send(b"x" * 100); a.recv(100); a.send(b"y" * 30); c.recv(30)
c.send(b"!", socket.MSG_OOB)
print("ports tcp", c.getsockname()[1], c.getpeername()[1])
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(("127.0.0.1", 0))
v = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); v.connect(u.getsockname())
v.send(b"z" * 11); u.recv(100); v.send(b"z" * 222); u.recv(1000)
v.setsockopt(17, 103, 100); v.send(b"z" * 250)     # UDP_SEGMENT: three datagrams, which the kernel cuts where they are received
assert [len(u.recv(1000)) for i in range(3)] == [100, 100, 50]
print("ports udp", v.getsockname()[1], v.getpeername()[1])
ports = {c.getsockname()[1], s.getsockname()[1], v.getsockname()[1]}
p.settimeout(0.5)
seen = set()
try:
    while True:
        d, at = p.recvfrom(70000)
        if at[2] == 4: continue             # PACKET_OUTGOING: each packet of lo comes twice
        l = (d[0] & 15) * 4
        if d[0] >> 4 != 4 or len(d) < l + 8: continue
        t = d[l:]
        if struct.unpack("!H", t[:2])[0] not in ports: continue
        if d[9] == 6:
            sp, dp, seq, ack, off, fl, win, ck, urg = struct.unpack("!HHIIBBHHH", t[:20])
            seen.add("seen tcp %d %d %d %d %d %d %d %d %d %d %d" % (sp, dp, seq, ack, off >> 2, fl, win, ck, urg, sp, dp))
        if d[9] == 17:
            seen.add("seen udp %d %d %d %d %d %d" % (struct.unpack("!HHHH", t[:8]) + struct.unpack("!2xHH2x", t[:8])))
except TimeoutError: pass
except socket.timeout: pass
for line in sorted(seen): print(line)
PY
dtx -x strsize=32 -qn 'tcp:::send { printf("told tcp %d %d %d %d %d %d %d %d %d ", args[4]->tcp_sport, args[4]->tcp_dport,
		args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_offset, args[4]->tcp_flags, args[4]->tcp_window,
		args[4]->tcp_checksum, args[4]->tcp_urgent);
		printf("%d %d\n", ntohs(((struct tcphdr *)args[4]->tcp_hdr)->source), ntohs(((struct tcphdr *)args[4]->tcp_hdr)->dest));
		printf("ends tcp %d %d %s %s\n", args[3]->tcps_lport, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_raddr); }
	udp:::send { printf("told udp %d %d %d %d %d %d\n", args[4]->udp_sport, args[4]->udp_dport, args[4]->udp_length,
		args[4]->udp_checksum, ntohs(args[4]->udp_hdr->dest), ntohs(args[4]->udp_hdr->len));
		printf("ends udp %d %d %s %s\n", args[3]->udps_lport, args[3]->udps_rport, args[3]->udps_laddr, args[3]->udps_raddr); }
	' -c "python3 $tmp/talk.py"
grep -q '^ports udp' "$tmp/out" || fail "the program did not end: $(cat "$tmp/out" "$tmp/err")"
for proto in tcp udp; do
	read -r _ _ c s < <(grep "^ports $proto" "$tmp/out")
	lines() { grep "^$1 $proto" "$tmp/out" | sed "s/^$1 //" | grep -E " $c $s | $s $c " | sort -u; }
	[ "$(lines seen | wc -l)" -ge 3 ] || fail "$proto: no packets are seen"
	# What ends the connection comes when the packet socket is closed already.
	same "$(lines seen)" "$(lines told | grep -xF "$(lines seen)")" "$proto: not the headers"
	lines ends | grep -q "$proto $c $s 127.0.0.1 127.0.0.1" || fail "$proto: not the ends: $(lines ends)"
done
