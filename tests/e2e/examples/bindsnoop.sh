#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf python3
#
# examples/bindsnoop.d: ports that are asked for, given by the kernel, and refused.
# truth: bindsnoop | address, port and error of bind | the program's own getsockname and errno
. "$(dirname "$0")/tool.bash"

own /usr/bin/python3 known
cat >"$tmp/binds.py" <<'END'
import socket
def b(family, kind, addr):
    s = socket.socket(family, kind)
    try:
        s.bind((addr, 0))
        print(17 if kind == socket.SOCK_DGRAM else 6, addr, s.getsockname()[1], 0)
    except OSError as e:
        print(17 if kind == socket.SOCK_DGRAM else 6, addr, 0, e.errno)
    return s
tcp = b(socket.AF_INET, socket.SOCK_STREAM, "127.0.0.1")
udp = b(socket.AF_INET6, socket.SOCK_DGRAM, "::1")
s = socket.socket()
try:
    s.bind(("127.0.0.1", tcp.getsockname()[1]))
    tcp.listen()
    s.bind(("203.0.113.1", 1))
except OSError as e:
    print(e.errno)
END
load <<<'./known binds.py >said'
tool bindsnoop -n known
heading 'TIME PID PROGRAM PROTO ADDRESS PORT ERR'
same "$(head -n 2 "$tmp/said")" "$(rows '$3 == "known" { print $4, $5, $6, $7 }' | head -n 2)" 'not the sockets'
same "$(tail -n 1 "$tmp/said")" "$(rows '$3 == "known" { print $7 }' | tail -n 1)" 'not the error'
tool bindsnoop -n known -f
same 1 "$(rows '$3 == "known"' | wc -l)" 'not only the one that failed'
