#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf script python3
#
# examples/ttysnoop.d: what a program writes to a pseudo-terminal, and not what it writes to a file.
# truth: ttysnoop | long texts, bytes of 0, pieces of writev | what comes out of the pseudo-terminal
. "$(dirname "$0")/tool.bash"

own bash known
load <<'END'
script -qc "$tmp/known -c 'echo a known word; echo hidden >/dev/null; echo another'" /dev/null >/dev/null
END
tool ttysnoop -n known
same 'a known word another' "$(tr -d '\r' <"$tmp/out" | xargs)" 'not the text'
tool ttysnoop -n known -l
same 'known pts a known word\n\0
known pts another\n\0' "$(rows '$3 == "known" { sub(/\/.*/, "", $4); $1 = $2 = ""; sub(/^ +/, ""); print }')" 'not the lines'

# More than a short text: a long one, one with bytes of 0, and the pieces of writev, some of which are empty.
own /usr/bin/python3 writer
cat >"$tmp/writes.py" <<'END'
import os, pty, sys, termios
master, slave = pty.openpty()
mode = termios.tcgetattr(slave)
mode[1] &= ~termios.OPOST
termios.tcsetattr(slave, termios.TCSANOW, mode)
sent = [[b"short\n"], [b"x" * 3000 + b"end\n"], [b"two ", b"", b"pieces\n"], [b"\0a\0\0zero\0\n"], [b"", b"0\0 in ", b"one\n"]]
for text in sent:
    if len(text) > 1:
        os.writev(slave, text)
    else:
        os.write(slave, text[0])
    sys.stdout.write(os.read(master, 4096).decode().replace("\0", ""))
END
load <<<'./writer writes.py >said'
tool ttysnoop -n writer
same "$(cat "$tmp/said")" "$(cat "$tmp/out")" 'not what comes out'
