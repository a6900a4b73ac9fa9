#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/oomkill.d: a program that wants more memory than its control group may have is killed.
. "$(dirname "$0")/tool.bash"

own dd known
cat >"$tmp/limited" <<'END'
group() { # LIMIT in bytes: a control group of that memory for this shell; false: not possible here
	local dir
	for dir in /sys/fs/cgroup/memory /sys/fs/cgroup/unified /sys/fs/cgroup; do
		[ -e $dir/memory.limit_in_bytes ] || grep -qw memory $dir/cgroup.controllers 2>/dev/null || continue
		grep -qw memory $dir/cgroup.subtree_control 2>/dev/null || echo +memory 2>/dev/null >$dir/cgroup.subtree_control
		mkdir -p $dir/dtx-tool-$$ 2>/dev/null || continue
		echo $dir/dtx-tool-$$ >group
		{ echo "$1" >$dir/dtx-tool-$$/memory.limit_in_bytes || echo "$1" >$dir/dtx-tool-$$/memory.max; } 2>/dev/null
		echo 0 2>/dev/null >$dir/dtx-tool-$$/memory.swap.max
		echo $$ 2>/dev/null >$dir/dtx-tool-$$/cgroup.procs && return
	done
	return 1
}
group 20000000 || exit 0
./known if=/dev/zero of=/dev/null bs=200M count=1 status=none 2>/dev/null &
echo $! >victim
wait $! 2>/dev/null
END
load <<'END'
bash ./limited 2>/dev/null
sleep 0.05
[ ! -e group ] || rmdir "$(cat group)"
:
END
tool oomkill
heading 'TIME PID WANTED BY VICTIM'
[ -e "$tmp/victim" ] || skip 'no control group for memory here'
victim=$(cat "$tmp/victim")
same "$victim known $victim" "$(rows '$NF == '"$victim"' { print $2, $3, $4 }' | head -n 1)" 'not the victim'
