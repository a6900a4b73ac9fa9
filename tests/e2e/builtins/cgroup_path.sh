#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# cgroup_path(): the path below the mount point of the cgroup whose number cgroup is, of the program and as a key.
. "$(dirname "$0")/../lib.sh"

root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$root" ] || skip 'no cgroups of version 2 here'
group=$root/dtx-path-$$
trap 'rmdir "$group" 2>/dev/null; rm -rf "$tmp"' EXIT
mkdir "$group" || skip "no control group can be made here"

cat >"$tmp/script" <<-END
	echo \$\$ >"$group/cgroup.procs"
	true >/dev/null
	sh -c :
	echo \$\$ >"$root/cgroup.procs"
END
dtx -qn 'syscall::execve:entry /ppid == $target/ { printf("%s\n", cgroup_path(cgroup)); @[cgroup_path(cgroup)] = count(); exit(0); }' -c "sh $tmp/script"
same "/dtx-path-$$
/dtx-path-$$ 1" "$(awk 'NF { $1 = $1; print }' "$tmp/out")" 'the path of the control group'
