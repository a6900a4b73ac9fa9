#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# examples/filelife.d: a file that lives for 0.2 s, and one that stays.
. "$(dirname "$0")/tool.bash"

grep -qw security_inode_create /proc/kallsyms || skip 'a kernel without security modules'
own rm away
load <<'END'
:>short
:>stays
sleep 0.2
./away short
END
tool filelife
heading 'TIME PID MADE BY REMOVED BY AGE(ms) FILE'
same 'bash away short ok' "$(rows '$6 == "short" || $6 == "stays" { print $3, $4, $6, ($5 >= 200 && $5 < 60000) ? "ok" : $5 }' | sort -u)" 'not the file'
tool filelife -m 1us
same 0 "$(rows '$6 == "short"' | wc -l)" 'a file that lived longer'
