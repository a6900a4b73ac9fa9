#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: unshare
#
# examples/mountsnoop.d: a mount, one that fails, and an unmount, in a namespace of their own.
. "$(dirname "$0")/tool.bash"

own mount known
own umount away
load <<'END'
unshare -m --propagation private bash -c "mkdir dir; $tmp/known -t tmpfs one $tmp/dir && readlink /proc/self/ns/mnt >ns; $tmp/away $tmp/dir; $tmp/known -i -t absentfs two $tmp/dir" 2>/dev/null
:
END
tool mountsnoop
heading 'TIME PID PROGRAM MNTNS CALL ERR FLAGS TYPE WHAT AND WHERE'
ns=$(tr -dc '0-9' <"$tmp/ns")
[ -n "$ns" ] || skip 'nothing can be mounted here'
same "known $ns mount 0 tmpfs one $tmp/dir
away $ns umount 0 - $tmp/dir
known $ns mount 19 absentfs two $tmp/dir" "$(rows '/\/dir$/ && ($3 == "known" || $3 == "away") { print $3, $4, $5, $6, $8, $9 ($10 ? " " $10 : "") }')" 'not the mounts'
tool mountsnoop --name away
same 2 "$(wc -l <"$tmp/out")" 'others, too'
