#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# examples/funccount.d: system calls of a known mix, and functions of a program.
. "$(dirname "$0")/tool.bash"

own syscalls known
load <<'END'
./known
END
tool funccount -n known 'syscall::getp*:entry'
heading 'FUNCTION COUNT'
same 'getpgid 50
getppid 100' "$(rows 'NR > 1 { print $1, $2 }')" 'not the calls'
tool funccount -n known 'syscall::getp*:entry' -t 1
same 'getppid 100' "$(rows 'NR > 1 { print $1, $2 }')" 'not the one called most'
run="$t/mallocs 10:7 20:5" tool funccount 'pid$target:a.out:inner:entry'
same 'inner 12' "$(rows 'NR > 1 { print $1, $2 }')" 'not the function'
