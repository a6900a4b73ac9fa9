#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: native
# timeout: 60
#
# The page after its run (--linger), asked by a stranger and by who has the link.
# attack: paths with .., %2e%2e and //, as a reader with the token | 404, nothing of a file
# attack: line ends, plain and as %0d%0a, and a NUL in what is asked | no header more than dtx's
# attack: 300 readers of /events at once | others are answered, memory and open files stay small, all are gone when they leave
# attack: another name for the address of the page (DNS rebinding), with the token | 403
# attack: a NUL in a header, with another header or host after it | the library ends the header there: what comes after is no part of one
# attack: two Host, Origin, Authorization, Cookie, Content-Length headers; a body; control bytes and blanks in headers | 400
# attack: the page after the end of its run (--linger), without the token | 401; SIGTERM ends it
. "$(dirname "$0")/../lib.sh"
plain 'the library that it loads is not instrumented'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'

/usr/bin/env python3 - "$DTX" <<'END' || fail 'the page did not hold'
import os, re, signal, socket, subprocess, sys, time

dtx = subprocess.Popen([sys.argv[1], '-q', '--linger', '--serve', '0', '-n', 'BEGIN { @[execname] = count(); printf("began\\n"); exit(0); }'],
	stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
bad = []
line = dtx.stderr.readline().decode()
port, token = re.search(r'127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})', line).groups()

def ask(path, host='127.0.0.1:' + port, more=''):
	with socket.create_connection(('127.0.0.1', int(port)), 10) as s:
		s.settimeout(10)
		s.sendall(f'GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n'.encode('latin1'))
		got = b''
		while part := s.recv(1 << 16):
			got += part
	head, _, body = got.partition(b'\r\n\r\n')
	return int(head.split()[1]), head, body

def want(what, holds):
	if not holds:
		bad.append(what)

key = 'token=' + token
for n in range(100):                    # until the run is over
	if b'began' in ask('/log?' + key)[2]:
		break
	time.sleep(0.05)
for path in '/rows', '/log', '/csv', '/json', '/metrics', '/program', '/events':
	want('without the token: ' + path, ask(path)[0] == 401)
	want('another host: ' + path, ask(path + '?' + key, 'evil.example:' + port)[0] == 403)
want('a token cut short', ask('/rows?' + key[:-1])[0] == 401)
for path in '/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '//etc/passwd', '/serve.js/../../../etc/passwd', '/..%2f..%2fetc%2fpasswd':
	status, _, body = ask(path + '?' + key)
	want('a path: ' + path, status in (400, 404) and b'root:' not in body)
for path in '/?' + key + '%0d%0aX-Evil:%201', '/?x=%0d%0aX-Evil:%201&' + key, '/?' + key + '\0X-Evil: 1', '/%0d%0aX-Evil:%201?' + key:
	want('a header: ' + repr(path), b'X-Evil' not in ask(path)[1])
mine = f'Host: 127.0.0.1:{port}'
for more in (mine, 'host: evil.example', 'Origin: http://evil.example\r\nOrigin: http://127.0.0.1:' + port, 'Cookie: a=b\r\nCookie: c=d',
		'Authorization: Bearer ' + token + '\r\nAuthorization: Basic x', 'Content-Length: 0\r\nContent-Length: 0', 'Content-Length: 1',
		'Transfer-Encoding: chunked', 'X: a\x01', 'X: a\x1b[2J', 'X: a\rHost: evil.example', 'X Y: a', 'Host : evil.example', 'X\0: a'):
	want('a header: ' + repr(more), ask('/rows?' + key, more=more + '\r\n')[0] == 400)
# The library ends a header at a NUL, so what comes after it is never taken for a part of one.
for more, status in ('X: a\0\x01', 200), ('X: a\0\r\nHost: evil.example', 400), ('Authorization: Bearer x\0\r\nCookie: token=x', 200):
	want('a NUL in a header: ' + repr(more), ask('/rows?' + key, more=more + '\r\n')[0] == status)
for host, status in ('127.0.0.1:' + port + '\0.evil.example', 200), ('evil.example\0127.0.0.1:' + port, 403):
	want('a NUL in Host: ' + repr(host), ask('/rows?' + key, host)[0] == status)
want('a link with a NUL', ask('/rows?filter=a%00b&' + key)[0] == 400)
for more in '', 'Content-Length: 0\r\n', 'Accept: a\r\nAccept: b\r\n', 'X: a\tb\xff\r\n', 'Cookie: a=b; c=d\r\n':
	want('a good header: ' + repr(more), ask('/rows?' + key, more=more)[0] == 200)
files = len(os.listdir(f'/proc/{dtx.pid}/fd'))
readers = []
for n in range(300):
	try:
		s = socket.create_connection(('127.0.0.1', int(port)), 5)
		s.sendall(f'GET /events?{key} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n'.encode())
		readers.append(s)
	except OSError:
		pass
want('an answer beside 300 readers', ask('/rows?' + key)[0] == 200)
memory = int(re.search(r'VmRSS:\s*(\d+)', open(f'/proc/{dtx.pid}/status').read())[1])
want(f'{memory} kB', memory < 200 << 10)
want('open files', len(os.listdir(f'/proc/{dtx.pid}/fd')) < 400)
for s in readers:
	s.close()
with socket.create_connection(('127.0.0.1', int(port)), 5) as s:
	s.sendall(f'GET /events?{key} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n'.encode())
	want('a reader after those that left', b' 200 ' in s.recv(20))
for n in range(200):
	if len(os.listdir(f'/proc/{dtx.pid}/fd')) <= files + 4:
		break
	time.sleep(0.05)
else:
	want('readers that left are still there: %d open files, %d before' % (len(os.listdir(f'/proc/{dtx.pid}/fd')), files), False)
want('an answer after them', ask('/rows?' + key)[0] == 200)
dtx.send_signal(signal.SIGTERM)
try:
	want('the status', dtx.wait(20) == 0)
except subprocess.TimeoutExpired:
	dtx.kill()
	want('it does not end', False)
if bad:
	print(*bad, sep='\n', file=sys.stderr)
sys.exit(bool(bad))
END
