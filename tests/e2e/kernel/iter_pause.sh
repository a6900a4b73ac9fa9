#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# In a walk of more than a million objects the kernel makes a pause: the walk goes on, and ends.
# needs: root btf
set -eu
coproc many { exec "$DTX_TRIGGERS/files" 1100000; }
ready=
read -r ready <&"${many[0]}" || :
if [ "$ready" != ready ]; then echo "so many files cannot be opened here"; exit 77; fi
pid=$many_PID
got=$("$DTX" -qn 'iter:task_file /task->comm == "files"/ { @ = count(); } END { printa("%@d", @); }')
exec {many[1]}>&-
wait "$pid"
if [ "$got" -lt 1100000 ]; then echo "walked: '$got'"; exit 1; fi
