#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/faults.d: a program that touches a known number of new pages.
. "$(dirname "$0")/tool.bash"

matches 'vminfo:::as_fault' || skip 'no probes of page faults on this machine'
own bash known
load <<'END'
./known -c :
./known -c "printf -v x '%8000000s' x"
END
tool faults -n known
heading 'PID PROGRAM FAULTS'
same 'ok' "$(rows 'NR > 1 { n[NR] = $3 } END { print (n[2] > 20 && n[3] - n[2] > 1900) ? "ok" : n[2] " " n[3] }')" 'not the faults'
tool faults -n known -s -t 2
same 'known 2' "$(rows '$1 == "known" { n++ } END { print "known", n }')" 'not two stacks'
