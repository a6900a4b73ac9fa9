#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf root python3
#
# examples/tcpstates.d with -p: connections that wait until the program accepts them are its own from their first state on.
# truth: tools, tcpstates -p | the first state of connections that are not accepted yet | a program with three of them
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/server.py" <<'PY'
import socket, sys
listener = socket.create_server(('127.0.0.1', 0), backlog=8)
print(listener.getsockname()[1], flush=True)
while sys.stdin.readline():
    listener.accept()
    print('accepted', flush=True)
PY
mkfifo "$tmp/to"
python3 "$tmp/server.py" <"$tmp/to" >"$tmp/server" 2>&1 & server=$!
exec 3>"$tmp/to"
awaits test -s "$tmp/server"
port=$(head -n 1 "$tmp/server")
"$DTX" examples/tcpstates.d -p $server >"$tmp/out" 2>"$tmp/err" 3>&- & dtx=$!
begun PROGRAM
accepted() { [ "$(grep -c accepted "$tmp/server")" = "$1" ]; }
asks() { exec {fd}<>"/dev/tcp/127.0.0.1/$port"; }
# The first one tells who listens, when it is accepted.
asks
echo go >&3
awaits accepted 1
asks; asks; asks
echo go >&3
awaits accepted 2
exec 3>&-
wait $server $dtx
same 3 "$(awk -v port="$port" '$4 == port && $7 == "LISTEN" && $8 == "SYN_RECV" { n++ } END { print n + 0 }' "$tmp/out")" "$(cat "$tmp"/{out,err})"
