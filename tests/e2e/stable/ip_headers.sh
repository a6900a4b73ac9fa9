#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: both
#
# ip: each member of the headers of two packets that a program writes itself, with options and as a late fragment.
# truth: args[4]->ipv4_ver | version | the header that the program wrote
# truth: args[4]->ipv4_ihl | length of the header, with options | the header that the program wrote
# truth: args[4]->ipv4_tos | type of service | the header that the program wrote
# truth: args[4]->ipv4_length | length | the header that the program wrote
# truth: args[4]->ipv4_ident | identification | the header that the program wrote
# truth: args[4]->ipv4_flags | more fragments | the header that the program wrote
# truth: args[4]->ipv4_offset | offset of a fragment, 13 bits | the header that the program wrote
# truth: args[4]->ipv4_ttl | time to live | the header that the program wrote
# truth: args[4]->ipv4_protocol | protocol | the header that the program wrote
# truth: args[4]->ipv4_protostr | protocol as text | the header that the program wrote
# truth: args[4]->ipv4_checksum | checksum | the header that the program wrote
# truth: args[4]->ipv4_src | source, as a number | the header that the program wrote
# truth: args[4]->ipv4_dst | destination, as a number | the header that the program wrote
# truth: args[4]->ipv4_saddr | source, as text | the header that the program wrote
# truth: args[4]->ipv4_daddr | destination, as text | the header that the program wrote
# truth: args[4]->ipv4_hdr | identification and time to live, by the pointer to the header | the header that the program wrote
# truth: args[5]->ipv6_hdr | length and hop limit, by the pointer to the header | the header that the program wrote
# truth: args[5]->ipv6_ver | version | the header that the program wrote
# truth: args[5]->ipv6_tclass | traffic class | the header that the program wrote
# truth: args[5]->ipv6_flow | flow label | the header that the program wrote
# truth: args[5]->ipv6_plen | length | the header that the program wrote
# truth: args[5]->ipv6_nexthdr | next header | the header that the program wrote
# truth: args[5]->ipv6_nextstr | next header as text | the header that the program wrote
# truth: args[5]->ipv6_hlim | hop limit | the header that the program wrote
# truth: args[5]->ipv6_src | source, as bytes | the header that the program wrote
# truth: args[5]->ipv6_dst | destination, as bytes | the header that the program wrote
# truth: args[5]->ipv6_saddr | source, as text | the header that the program wrote
# truth: args[5]->ipv6_daddr | destination, as text | the header that the program wrote
# truth: args[2]->ip_ver | version, of both | the header that the program wrote
# truth: args[2]->ip_plength | length without the header, of both | the header that the program wrote
# truth: args[2]->ip_saddr | source, of both | the header that the program wrote
# truth: args[2]->ip_daddr | destination, of both | the header that the program wrote
# truth: args[3]->if_name | the interface | lo, to which 127.0.0.1 and ::1 belong
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/send.py" <<'PY'
import socket, struct
def checksum(b):
    n = sum(struct.unpack("!%dH" % (len(b) // 2), b))
    while n >> 16: n = (n & 0xffff) + (n >> 16)
    return ~n & 0xffff
a4, b4 = socket.inet_aton("127.0.0.1"), socket.inet_aton("127.1.2.3")
h = struct.pack("!BBHHHBBH4s4s", 0x46, 0x28, 64, 0xbeef, 0x2000 | 5001, 77, 253, 0, a4, b4) + b"\1\1\1\0"
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
s.sendto(h + bytes(40), ("127.1.2.3", 0))
print("want4 4 24 40 64 48879 2 5001 77 253 253 %d 7f000001 7f010203 127.0.0.1 127.1.2.3 4 40 127.0.0.1 127.1.2.3 lo 48879 77" % checksum(h))
one = socket.inet_pton(socket.AF_INET6, "::1")
h = struct.pack("!IHBB16s16s", 6 << 28 | 0x5a << 20 | 0xabcde, 52, 253, 99, one, one)
s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW)
s.sendto(h + bytes(52), ("::1", 0))
print("want6 6 90 703710 52 253 253 99 1 1 ::1 ::1 6 52 ::1 ::1 lo 52 99")
PY
cat >"$tmp/ip.d" <<'END'
#pragma D option quiet
#pragma D option strsize=64
ip:::send /args[4]->ipv4_protocol == 253/ {
	printf("told4 %d %d %d %d %d %d ", args[4]->ipv4_ver, args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length,
	    args[4]->ipv4_ident, args[4]->ipv4_flags);
	printf("%d %d %d %s %d %x %x ", args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol, args[4]->ipv4_protostr,
	    args[4]->ipv4_checksum, ntohl(args[4]->ipv4_src), ntohl(args[4]->ipv4_dst));
	printf("%s %s %d %d %s %s %s %d %d\n", args[4]->ipv4_saddr, args[4]->ipv4_daddr, args[2]->ip_ver, args[2]->ip_plength,
	    args[2]->ip_saddr, args[2]->ip_daddr, args[3]->if_name, ntohs(args[4]->ipv4_hdr->id), args[4]->ipv4_hdr->ttl);
}
ip:::send /args[5]->ipv6_nexthdr == 253/ {
	printf("told6 %d %d %d %d %d %s %d ", args[5]->ipv6_ver, args[5]->ipv6_tclass, args[5]->ipv6_flow, args[5]->ipv6_plen,
	    args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr, args[5]->ipv6_hlim);
	printf("%d %d ", args[5]->ipv6_src->in6_u.u6_addr8[15], args[5]->ipv6_dst->in6_u.u6_addr8[15]);
	printf("%s %s %d %d %s %s %s %d %d\n", args[5]->ipv6_saddr, args[5]->ipv6_daddr, args[2]->ip_ver, args[2]->ip_plength,
	    args[2]->ip_saddr, args[2]->ip_daddr, args[3]->if_name, ntohs(args[5]->ipv6_hdr->payload_len), args[5]->ipv6_hdr->hop_limit);
}
END
dtx -s "$tmp/ip.d" -c "python3 $tmp/send.py"
for v in 4 6; do
	same "$(sed -n "s/^want$v //p" "$tmp/out")" "$(sed -n "s/^told$v //p" "$tmp/out")" "the header of IPv$v"
done
grep -q ^want6 "$tmp/out" || fail "the program sent nothing: $(cat "$tmp/err")"
