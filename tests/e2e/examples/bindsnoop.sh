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
def failed(family, addr, port):
    s = socket.socket(family)
    try:
        s.bind((addr, port))
    except OSError as e:
        print(6, addr, port, e.errno)
failed(socket.AF_INET, "127.0.0.1", tcp.getsockname()[1])
failed(socket.AF_INET, "203.0.113.1", 80)
failed(socket.AF_INET6, "2001:db8::1", 443)
END
load <<<'./known binds.py >said'
tool bindsnoop -n known
heading 'TIME PID PROGRAM PROTO ADDRESS PORT ERR'
binds() { rows '$3 == "known" { print $4, $5, $6, $7 }'; }
same "$(cat "$tmp/said")" "$(binds)" 'not the sockets'
tool bindsnoop -n known -f
same "$(tail -n +3 "$tmp/said")" "$(binds)" 'not those that failed, with what they asked for'
tool bindsnoop -n known -P 443
same '6 2001:db8::1 443 99' "$(binds)" 'not the port that was asked for'
