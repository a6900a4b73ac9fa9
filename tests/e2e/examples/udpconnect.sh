#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/udpconnect.d: two UDP sockets that are connected; a TCP socket is not shown.
. "$(dirname "$0")/tool.bash"

own bash known
echo ': >/dev/udp/127.0.0.1/4242; : >/dev/udp/::1/53; : 2>/dev/null >/dev/tcp/127.0.0.1/9' >"$tmp/opens"
load <<'END'
./known ./opens 2>/dev/null
:
END
tool udpconnect -n known
heading 'TIME PID PROGRAM IP REMOTE PORT'
same 'known 4 127.0.0.1 4242
known 6 ::1 53' "$(rows 'NR > 1 { print $3, $4, $5, $6 }')" 'not the sockets'
tool udpconnect -n known -P 53
same 53 "$(rows 'NR > 1 { print $6 }')" 'not that port'
