#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root /usr/bin/python3
# where: guest
# timeout: 60
#
# Frames of Python on other kernels: a short program, because guests are slow. frames.sh has the rest.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/prog.py" <<'END'
import posix
def probe():
    return posix.getppid()
def numbers():
    yield probe()
def again(n):
    return again(n - 1) if n else \
        list(numbers())
again(2)
END
dtx -qn 'syscall::getppid:entry /pid == $target/ { pystack(); }' -c "/usr/bin/python3 -S -E -B $tmp/prog.py"
same "$tmp/prog.py:3 probe
$tmp/prog.py:5 numbers
$tmp/prog.py:8 again
$tmp/prog.py:7 again
$tmp/prog.py:7 again
$tmp/prog.py:9 <module>" "$(sed 's/^ *//' "$tmp/out" | grep .)"
