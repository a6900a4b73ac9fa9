#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: names.pcap opt.pcapsize
# needs: python3
#
# pcap() dumps the packet; after freopen() it writes a capture file with nothing else in it.
. "$(dirname "$0")/../lib.sh"

ip link set lo up 2>/dev/null
python3 -c "import socket, time
while True:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'hello packet', ('127.0.0.1', 9999))
    time.sleep(0.1)" & sender=$!
trap 'kill $sender; rm -rf "$tmp"' EXIT
"$DTX" -q -n 'rawtp:::netif_rx /((struct sk_buff *)arg0)->len == 40/ { pcap((struct sk_buff *)arg0, 12); exit(0); }' >"$tmp/out" || fail "it fails"
grep -q '0: 45 00 00 28' "$tmp/out" || fail "no dump: $(cat "$tmp/out")"
"$DTX" -w -n 'int n; BEGIN { freopen("%s/x", $$1); } rawtp:::netif_rx /((struct sk_buff *)arg0)->len == 40/ { pcap((struct sk_buff *)arg0, 12); n++; }
	rawtp:::netif_rx /n > 1/ { exit(0); }' "$tmp" >/dev/null 2>&1 || fail "it fails"
python3 - "$tmp/x" <<'END' || fail "the capture file is wrong"
import struct, sys, time
data = open(sys.argv[1], 'rb').read()
magic, major, minor, zone, sig, snap, link = struct.unpack_from('<IHHIIII', data)
assert (magic, major, minor, snap, link) == (0xa1b23c4d, 2, 4, 1520, 101), (hex(magic), snap, link)
at = 24
for i in range(2):
    sec, ns, captured, size = struct.unpack_from('<IIII', data, at)
    assert captured == size and abs(sec - time.time()) < 60, (sec, captured, size)
    at += 16 + captured
assert at == len(data)
END
