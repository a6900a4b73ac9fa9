#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes openssl
# timeout: 60
#
# examples/ssllatency.d: the handshake of both sides, and a write and a read. Python calls other functions.
# truth: ssllatency | how many handshakes, reads and writes of TLS | a program of Python that makes known ones
. "$(dirname "$0")/../lib.sh"

matches 'uprobe:libssl:SSL_write:entry' || skip 'no library of OpenSSL here'
cd "$tmp" || exit
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -subj /CN=test -days 2 2>/dev/null || skip 'openssl makes no certificate'
cd - >/dev/null || exit
"$DTX" -qn 'BEGIN { printf("ready\n"); }' -s examples/ssllatency.d -n openssl -o "$tmp/out" -e -x switchrate=10ms & dtx=$!
begun
port=$((20000 + $$ % 20000))
mkfifo "$tmp/in" && exec 9<>"$tmp/in"
openssl s_server -accept 127.0.0.1:$port -key "$tmp/key" -cert "$tmp/cert" -quiet <"$tmp/in" >"$tmp/heard" 2>/dev/null & server=$!
awaits grep -qE "^ *[0-9]+: 0100007F:$(printf %04X $port) 00000000:0000 0A " /proc/net/tcp
talks() {
	{ echo 'a known word'; until_true 3 grep -q known "$tmp/heard"; } |
		timeout 5 openssl s_client -connect 127.0.0.1:$port -quiet -no_ign_eof >/dev/null 2>&1
	grep -q known "$tmp/heard" && grep -q handshake "$tmp/out"
}
until_true 20 talks
kill $server
kill -TERM $dtx && wait $dtx
for call in SSL_do_handshake SSL_read SSL_write; do
	sed -n "/^$call (us):/,/^\$/p" "$tmp/out" | awk '/\|/ { n += $NF } END { exit !n }' || fail "no $call: $(cat "$tmp/out")"
done
grep -qE ' openssl +handshake +[0-9]+ us$' "$tmp/out" || fail "no handshake: $(cat "$tmp/out")"

own() { cp "$(readlink -f /usr/bin/python3)" "$tmp/$1"; }
/usr/bin/python3 -c 'import ssl' 2>/dev/null && own talker || exit 0
cat >"$tmp/talks.py" <<'END'
import socket, ssl, sys, threading
ours, theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
ours.load_cert_chain(sys.argv[1] + "/cert", sys.argv[1] + "/key")
theirs.check_hostname, theirs.verify_mode = False, ssl.CERT_NONE
a, b = socket.socketpair()
def answer():
    s = ours.wrap_socket(a, server_side=True)
    for _ in range(5):
        s.send(s.recv(9))
thread = threading.Thread(target=answer)
thread.start()
s = theirs.wrap_socket(b)
for _ in range(5):
    s.send(b"a known w")
    assert s.recv(9) == b"a known w"
thread.join()
END
: >"$tmp/out"
"$DTX" -qn 'BEGIN { printf("ready\n"); }' -s examples/ssllatency.d -n talker -o "$tmp/out" 2>/dev/null & dtx=$!
begun
"$tmp/talker" "$tmp/talks.py" "$tmp" || fail 'no TLS in Python'
kill -TERM $dtx && wait $dtx
calls() { sed -n "/^$1 (us):/,/^\$/p" "$tmp/out" | awk '/\|/ { n += $NF } END { print n + 0 }'; }
same '2 10' "$(calls SSL_do_handshake) $(calls SSL_write_ex)" "not the program's calls: $(cat "$tmp/out")"
[ "$(calls SSL_read_ex)" -ge 10 ] || fail "fewer reads than there were: $(cat "$tmp/out")"
