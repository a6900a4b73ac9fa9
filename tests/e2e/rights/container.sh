#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: var.execargs
# where: both
#
# cgroup, cgrouppath, containerid, the namespaces and execargs, of a process in a control group that is named like a
# container's and in a network namespace of its own, as it sees them itself.
. "$(dirname "$0")/../lib.sh"

root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$root" ] || skip "no control groups of version 2 are mounted"
id=$(printf '0123456789abcdef%.0s' 1 2 3 4) top=$root/dtx-test-$$
trap 'rmdir "$top/pod/docker-$id.scope" "$top/pod" "$top" 2>/dev/null; rm -rf "$tmp"' EXIT
mkdir -p "$top/pod/docker-$id.scope" || skip "no control group can be made here"

cat >"$tmp/script" <<-END
	echo \$\$ >"$top/pod/docker-$id.scope/cgroup.procs"
	unshare -n -u sh -c '
		for ns in cgroup ipc mnt net pid user uts; do readlink /proc/self/ns/\$ns; done | tr -dc "0-9\n" | paste -sd" "
		sed -n "s/^0:://p" /proc/self/cgroup
		exec true a b'
	echo \$\$ >"$root/cgroup.procs"
END
dtx -qn 'proc:::exec-success /execname == "true"/ {
	printf("D %d %d %d %d %d %d %d\n", cgroupns, ipcns, mntns, netns, pidns, userns, utsns);
	printf("D %s\nD %s\nD %d\nD %s\n", cgrouppath, containerid, cgroup, execargs);
}' -c "sh $tmp/script"
same "$(grep -v '^D ' "$tmp/out" | grep .)
$id
$(stat -c %i "$top/pod/docker-$id.scope")
true a b" "$(sed -n 's/^D //p' "$tmp/out")" "not where the process lives"
dtx -qn 'BEGIN { printf("%d", containerid == ""); exit(0); }'
same 1 "$(cat "$tmp/out")" "a container's id outside of one"
