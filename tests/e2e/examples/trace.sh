#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/trace.d: the firings of a probe, with a value and without, and their number.
. "$(dirname "$0")/tool.bash"

own reads known
load <<'END'
./known 100:3 200:1
END
tool trace -n known-reads syscall::read:entry arg2
heading 'TIME PID TID PROGRAM PROBE arg2'
same 'known-reads read:entry 100
known-reads read:entry 100
known-reads read:entry 100
known-reads read:entry 200' "$(rows 'NR > 1 { print $4, $5, $6 }')" 'not the firings'
tool trace -n known-reads -m 2 syscall::read:entry
same 2 "$(rows '$4 == "known-reads"' | wc -l)" 'not two'
