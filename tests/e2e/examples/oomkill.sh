#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/oomkill.d: a program that wants more memory than its control group may have is killed.
. "$(dirname "$0")/tool.bash"

own dd known
limited 20000000 <<'END'
./known if=/dev/zero of=/dev/null bs=200M count=1 status=none 2>/dev/null &
echo $! >victim
wait $! 2>/dev/null
END
tool oomkill
heading 'TIME PID WANTED BY VICTIM'
[ -e "$tmp/victim" ] || skip 'no control group for memory here'
victim=$(cat "$tmp/victim")
same "$victim known $victim" "$(rows '$NF == '"$victim"' { print $2, $3, $4 }' | head -n 1)" 'not the victim'
