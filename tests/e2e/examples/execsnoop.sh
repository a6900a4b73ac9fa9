#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/execsnoop.d: programs with their arguments, one that cannot be started; the filters.
. "$(dirname "$0")/tool.bash"

own true known
load <<'END'
./known one 'two words'
sh -c "./known; exec ./known 3"
:>plain
./plain
chmod +x plain
cp known many
for i in 1 2; do ./known --arguments that are many more than eighty bytes long, so that it is seen whether they are cut; done
END
tool execsnoop -f
heading 'TIME UID PID PPID RET PROGRAM ARGS'
long='--arguments that are many more than eighty bytes long, so that it is seen whether they are cut'
same "0 0 known ./known one two words
0 0 sh sh -c ./known; exec ./known 3
0 0 known ./known
0 0 known ./known 3
0 13 bash ./plain
0 0 known ./known $long
0 0 known ./known $long" "$(rows '/\.\/(known|plain)/ { $1 = $3 = $4 = ""; print }' | sed 's/^ *//; s/  */ /g')" 'not the programs started'
tool execsnoop -n known
same 5 "$(rows '$6 == "known"' | wc -l)" 'not all of one name'
same 6 "$(wc -l <"$tmp/out")" 'others, too'
tool execsnoop -u 4321
same 1 "$(wc -l <"$tmp/out")" 'programs of another user'
