#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: native
#
# mib:::udpInErrors: datagrams for a socket whose buffer is full.
# truth: mib:::udpInErrors | datagrams for a full socket | the program
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/flood.py" <<'PY'
import socket
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
to.bind(("127.0.0.1", 0))
by = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(50):
    by.sendto(b"x" * 1000, to.getsockname())
PY
"$DTX" -qn 'mib:::udpInErrors /pid == $target/ { @ = sum(arg0); }' -c "python3 $tmp/flood.py" >"$tmp/out" || fail "$(cat "$tmp/out")"
n=$(tr -dc 0-9 <"$tmp/out")
[ "${n:-0}" -gt 30 ] && [ "$n" -le 50 ] || fail "${n:-0} errors, of 50 datagrams and a buffer for a few"
