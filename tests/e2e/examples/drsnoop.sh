#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/drsnoop.d: a program that writes more of a file than its control group may hold has to free pages.
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
group 16000000 || exit 0
echo >limited-is
./known if=/dev/zero of=file bs=64k count=1024 conv=fsync status=none
END
load <<'END'
bash ./limited 2>/dev/null
sleep 0.05
[ ! -e group ] || rmdir "$(cat group)" 2>/dev/null
:
END
tool drsnoop -n known
heading 'TIME PID PROGRAM KIND US PAGES'
[ -e "$tmp/limited-is" ] || skip 'no control group for memory here'
rows '$3 == "known" { if ($4 == "cgroup" && $5 > 0) n++; pages += $6 } END { exit !(n >= 1 && pages >= 32) }' || fail "$(cat "$tmp/out")"
