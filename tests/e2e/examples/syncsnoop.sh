#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/syncsnoop.d: fsync, fdatasync, syncfs and sync, with their files and their numbers.
. "$(dirname "$0")/tool.bash"

own sync known
load <<'END'
echo 1 >one; echo 2 >two
./known one two
./known -d one
./known -f two
./known absent 2>/dev/null
:
END
tool syncsnoop -n known
heading 'TIME PID PROGRAM CALL ERR US FILE'
same "fsync 0 $tmp/one
fsync 0 $tmp/two
fdatasync 0 $tmp/one
syncfs 0 $tmp/two" "$(rows '$3 == "known" { print $4, $5, $7; if ($6 < 1) print "no time" }')" 'not the calls'
same 2 "$(histogram fsync | awk '{ n += $2 } END { print n }')" 'not the distribution of fsync'
tool syncsnoop -n known -m 1h
same 0 "$(rows '$3 == "known"' | wc -l)" 'calls of less than an hour'
