#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The units of docs/fleet: systemd takes them as they are, and the rights that the service has are enough for a run by its socket.
# needs: root systemd-analyze systemd-socket-activate setpriv python3
. "$(dirname "$0")/../lib.sh"

cp docs/fleet/dtx-run.socket docs/fleet/dtx-run@.service "$tmp"
run=$(realpath "$(dirname "$DTX")/dtx-run")
sed -i "s,/usr/bin/dtx-run,$run," "$tmp/dtx-run@.service"
systemd-analyze verify "$tmp/dtx-run.socket" "$tmp/dtx-run@.service" >"$tmp/out" 2>&1 || fail "$(cat "$tmp/out")"
same '' "$(grep dtx-run "$tmp/out")" 'what systemd says of them'

rights=$(sed -n 's/^CapabilityBoundingSet=//p' "$tmp/dtx-run@.service" | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
systemd-socket-activate -a --inetd -l "$tmp/socket" setpriv --bounding-set="-all,$rights" --no-new-privs "$run" --agent 2>"$tmp/log" & pid=$!
trap 'kill $pid; rm -rf "$tmp"' EXIT
awaits test -S "$tmp/socket"
cat >"$tmp/join.py" <<-'E'
	import os, socket, sys, threading
	s = socket.socket(socket.AF_UNIX)
	s.connect(sys.argv[1])
	def put():
	    while data := os.read(0, 65536): s.sendall(data)
	    s.shutdown(socket.SHUT_WR)
	threading.Thread(target=put, daemon=True).start()
	while data := s.recv(65536): os.write(1, data)
	E
XDG_CACHE_HOME=$tmp/cache timeout 60 "$DTX" --hosts h1,h2 --via "python3 $tmp/join.py $tmp/socket" -qn 'BEGIN, syscall::getpid:entry, tick-100ms, sched:::on-cpu
	{ @[probeprov] = max(1); @k[stack(1)] = count(); } tick-500ms { @h["hosts"] = count(); exit(0); }' >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err" "$tmp/log")"
[ "$(value hosts)" = 2 ] || fail "two hosts: $(cat "$tmp/out" "$tmp/err")"
for p in sched profile; do [ "$(value $p)" = 1 ] || fail "no $p: $(cat "$tmp/out" "$tmp/err")"; done
grep -q 'vmlinux`' "$tmp/out" || fail "functions of the kernel have no names: $(cat "$tmp/out")"
