#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root python3
# where: native
#
# A terminal says that it has no rows, or 65,535: the size is what another program or a connection has set. So do LINES and COLUMNS.
# attack: --live on a terminal of 0, 1 or 65535 rows and columns, with LINES and COLUMNS of 30000, -5 or no number | it draws, ends and prints, memory below 200 MB
. "$(dirname "$0")/../lib.sh"

# shown ROWS COLUMNS [NAME=VALUE…]: a run on such a terminal ends with status 0 and its last words.
shown() {
	timeout 20 python3 - "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" <<-'END' || fail "$*: $(cat -v "$tmp/out" "$tmp/err")"
	import fcntl, os, pty, resource, struct, sys, termios
	dtx, rows, columns, env = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
	pid, fd = pty.fork()
	if not pid:
	    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
	    os.environ.update([e.split('=') for e in ['TERM=xterm'] + env])
	    os.execv(dtx, [dtx, '--live', '-qn', 'BEGIN { @["key"] = quantize(3); } tick-200ms { exit(0); } END { printf("last words"); }'])
	out = b''
	try:
	    while piece := os.read(fd, 65536):
	        out += piece
	except OSError:
	    pass
	status = os.waitpid(pid, 0)[1]
	most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
	if status or b'last words' not in out or b'\033[?1049h' not in out or (most > 200000 and not os.environ.get('DTX_SLOW')):
	    sys.exit(f'status {status}, {most} kB: {out[-300:]}')
	END
}
shown 65535 65535
shown 65535 1
shown 0 0
shown 24 80 LINES=30000 COLUMNS=30000
shown 24 80 LINES=-5 COLUMNS=x
exit 0
