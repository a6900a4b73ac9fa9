#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: both
# on: newest
# row: stable.mib:tcpInDataDupBytes stable.mib:tcpInDataUnorderBytes stable.mib:tcpRetransBytes
# truth: mib:::tcpRetransBytes | bytes that are sent again | bytes_retrans of TCP_INFO of both sockets
# truth: mib:::tcpInDataDupBytes | bytes received a second time | bytes_retrans of the peer, whose acknowledgements are dropped
# truth: mib:::tcpInDataUnorderBytes | bytes received before others | segments out of order in TCP_INFO, and their size
#
# Segments that are sent again or come too early: a filter on a socket drops what arrives, as long as the program wants.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/lossy.py" <<'PY'
import ctypes, os, socket, struct, time
def mark(n):
    try: os.getpgid(2000000000 + n)
    except OSError: pass
nothing = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))         # BPF_RET: not a byte
program = struct.pack("HxxxxxxP", 1, ctypes.addressof(nothing))
def deaf(s): s.setsockopt(socket.SOL_SOCKET, 26, program)                      # SO_ATTACH_FILTER
def hears(s): s.setsockopt(socket.SOL_SOCKET, 27, 0)                           # SO_DETACH_FILTER
def info(s): return s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 240)
def again(s): return struct.unpack_from("Q", info(s), 208)[0]                  # tcpi_bytes_retrans
def early(s): return struct.unpack_from("I", info(s), 224)[0]                  # tcpi_rcv_ooopack
def pair():
    s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(1)
    c = socket.create_connection(s.getsockname()); p, _ = s.accept()
    for x in c, p: x.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for i in range(3): c.send(b"w"); p.recv(1); p.send(b"w"); c.recv(1)
    return c, p
c, p = pair()
mark(1)
deaf(p); c.send(b"x" * 1000)
while not again(c): time.sleep(0.01)
hears(p); p.recv(1000, socket.MSG_WAITALL); time.sleep(0.3)
mark(0)
print("own retrans", again(c) + again(p))       # the last byte of p was not acknowledged yet
c, p = pair()
mark(2)
deaf(c); c.send(b"y" * 700); p.recv(700, socket.MSG_WAITALL)
while not again(c): time.sleep(0.01)
hears(c); time.sleep(0.5)
mark(0)
print("own dup", again(c))
c, p = pair()
mark(3)
deaf(p); c.send(b"z" * 500); hears(p)
c.send(b"z" * 300); p.recv(800, socket.MSG_WAITALL); time.sleep(0.3)
mark(0)
print("own early", early(p) * 300)
PY
dtx -qn 'int part; syscall::getpgid:entry /arg0 >= 2000000000/ { part = arg0 - 2000000000; }
	mib:::tcpRetransBytes /part == 1/ { @["retrans"] = sum(arg0); }
	mib:::tcpInDataDupBytes /part == 2/ { @["dup"] = sum(arg0); }
	mib:::tcpInDataUnorderBytes /part == 3/ { @["early"] = sum(arg0); }
	END { printa("told %s %@d\n", @); }' -c "python3 $tmp/lossy.py"
same "$(sed -n 's/^own //p' "$tmp/out" | sort)" "$(sed -n 's/^told //p' "$tmp/out" | sort)" "$(cat "$tmp/err")"
[ "$(awk '/^own/ && $3 > 0' "$tmp/out" | wc -l)" = 3 ] || fail "nothing was lost: $(cat "$tmp/out" "$tmp/err")"
