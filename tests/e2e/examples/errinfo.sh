#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/errinfo.d: the calls that fail, by error.
. "$(dirname "$0")/tool.bash"

own syscalls known
own cat reader
load <<'END'
"$tmp/known" 2
"$tmp/reader" "$tmp/none" "$tmp/none" 2>/dev/null
:
END
tool errinfo -n known -e 9
same 'PROGRAM CALL ERRNO COUNT ERROR
known read 9 14 Bad file descriptor' "$(tr -s ' ' <"$tmp/out")" 'not the failures'
tool errinfo -n reader
rows '$2 == "openat" && $3 == 2 { n = $4 } END { exit n < 2 }' || fail "not the opens: $(cat "$tmp/out")"
