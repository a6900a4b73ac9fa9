#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/drsnoop.d: a program that writes more of a file than its control group may hold has to free pages.
. "$(dirname "$0")/tool.bash"

own dd known
limited 16000000 <<'END'
echo >limited-is
./known if=/dev/zero of=file bs=64k count=1024 conv=fsync status=none
END
tool drsnoop -n known
heading 'TIME PID PROGRAM KIND US PAGES'
[ -e "$tmp/limited-is" ] || skip 'no control group for memory here'
rows '$3 == "known" { if ($4 == "cgroup" && $5 > 0) n++; pages += $6 } END { exit !(n >= 1 && pages >= 32) }' || fail "$(cat "$tmp/out")"
