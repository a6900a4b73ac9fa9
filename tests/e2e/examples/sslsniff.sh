#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes openssl
# timeout: 60
#
# examples/sslsniff.d: a text that goes over TLS, as it is written and as it is read.
. "$(dirname "$0")/../lib.sh"

matches 'uprobe:libssl:SSL_write:entry' || skip 'no library of OpenSSL here'
cd "$tmp" || exit
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -subj /CN=test -days 2 2>/dev/null || skip 'openssl makes no certificate'
cd - >/dev/null || exit
"$DTX" -qs examples/sslsniff.d -n openssl -o "$tmp/out" & dtx=$!
awaits [ -s "$tmp/out" ]
port=$((20000 + $$ % 20000))
mkfifo "$tmp/in" && exec 9<>"$tmp/in"        # an input that does not end
openssl s_server -accept 127.0.0.1:$port -key "$tmp/key" -cert "$tmp/cert" -quiet <"$tmp/in" >"$tmp/heard" 2>/dev/null & server=$!
awaits grep -qE "^ *[0-9]+: 0100007F:$(printf %04X $port) 00000000:0000 0A " /proc/net/tcp
talks() {
	{ echo 'a known word'; until_true 3 grep -q known "$tmp/heard"; } |
		timeout 5 openssl s_client -connect 127.0.0.1:$port -quiet -no_ign_eof >/dev/null 2>&1
	grep -q known "$tmp/heard"
}
until_true 20 talks
kill $server
kill -TERM $dtx && wait $dtx
same 'read 13 a known word\n\0
write 13 a known word\n\0' "$(grep -E ' (read|write) +13 a known' "$tmp/out" | sed -E 's/.* (read|write) +/\1 /' | sort -u)" 'not the text'
