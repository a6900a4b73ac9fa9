#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd
#
# examples/fileslower.d: known reads and writes of a file; a pipe is no file; the limit.
. "$(dirname "$0")/tool.bash"

own dd known
load <<'END'
./known if=/dev/zero of=file bs=3000 count=4 status=none
./known if=file of=/dev/null bs=3000 count=3 status=none
echo text | ./known of=/dev/null status=none
END
tool fileslower -n known -m 0
heading 'TIME PID PROGRAM CALL BYTES OFFSET US FILE'
same "4 write 3000 -1 $tmp/file
3 read 3000 -1 $tmp/file" "$(rows '$8 ~ /\/file$/ { print $4, $5, $6, $8 }' | sort -r | uniq -c | sed 's/^ *//')" 'not the calls'
same 0 "$(rows '$5 == 5' | wc -l)" 'a pipe'
tool fileslower -n known -m 1h
same 1 "$(wc -l <"$tmp/out")" 'calls of less than an hour'
