#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/statsnoop.d: files that are there and one that is not.
. "$(dirname "$0")/tool.bash"

own stat known
load <<'END'
:>here
./known here absent >/dev/null 2>&1
./known -f here >/dev/null
END
tool statsnoop -n known
heading 'TIME PID PROGRAM CALL ERR PATH'
same 'known 0 here
known 2 absent
known 0 here' "$(rows '$6 == "here" || $6 == "absent" { print $3, $5, $6 }')" 'not the calls'
same 1 "$(rows '$4 == "statfs" && $6 == "here"' | wc -l)" 'not the one of the file system'
tool statsnoop -n known -f
same '2 absent' "$(rows '$6 == "here" || $6 == "absent" { print $5, $6 }')" 'not the failure'
