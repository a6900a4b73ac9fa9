#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes openssl
# timeout: 60
#
# examples/ssllatency.d: the handshake of both sides, and a write and a read.
. "$(dirname "$0")/../lib.sh"

matches 'uprobe:libssl:SSL_write:entry' || skip 'no library of OpenSSL here'
cd "$tmp" || exit
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -subj /CN=test -days 2 2>/dev/null || skip 'openssl makes no certificate'
cd - >/dev/null || exit
"$DTX" -qs examples/ssllatency.d -n openssl -o "$tmp/out" -e -x switchrate=10ms & dtx=$!
sleep 0.5
port=$((20000 + $$ % 20000))
mkfifo "$tmp/in" && exec 9<>"$tmp/in"
openssl s_server -accept 127.0.0.1:$port -key "$tmp/key" -cert "$tmp/cert" -quiet <"$tmp/in" >"$tmp/heard" 2>/dev/null & server=$!
for _ in {1..40}; do
	{ echo 'a known word'; sleep 0.2; } | timeout 5 openssl s_client -connect 127.0.0.1:$port -quiet -no_ign_eof >/dev/null 2>&1
	if grep -q known "$tmp/heard" && grep -q handshake "$tmp/out"; then break; fi
	sleep 0.1
done
kill $server
kill -TERM $dtx && wait $dtx
for call in SSL_do_handshake SSL_read SSL_write; do
	sed -n "/^$call (us):/,/^\$/p" "$tmp/out" | awk '/\|/ { n += $NF } END { exit !n }' || fail "no $call: $(cat "$tmp/out")"
done
grep -qE ' openssl +handshake +[0-9]+ us$' "$tmp/out" || fail "no handshake: $(cat "$tmp/out")"
