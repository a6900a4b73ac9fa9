#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# --cgroup traces what runs in a control group and below it, and refuses what is none.
# needs: root
set -eu
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$root" ] || { echo "no control groups of version 2 are mounted"; exit 77; }
dir=$(mktemp -d) group=dtx-test-$$ failed=0
trap 'find "$root/$group" -depth -type d -exec rmdir {} + 2>/dev/null || :; rm -rf "$dir"' EXIT
mkdir "$root/$group" "$root/$group/below" || { echo "no control group can be made here"; exit 77; }
export dir root forker=$DTX_TRIGGERS/forker

# The command of -c: once where it is, once in the group, once below it.
cat >"$dir/cmd" <<'EOF'
#!/bin/bash
"$forker" </dev/null
for group; do
	echo $$ >"$root/$group/cgroup.procs"
	"$forker" "c${group: -5}" </dev/null
done
echo $$ >"$root/cgroup.procs"
EOF
chmod +x "$dir/cmd"

for path in "$root/$group" "/$group"; do
	got=$("$DTX" -q --cgroup "$path" -c "$dir/cmd $group $group/below" -n '
		syscall::getppid:entry /execname != "sh"/ { @[execname == "cbelow" ? "below" :
		execname == "forker" ? "forker" : "here"] = count(); } END { printa("%s %@d ", @); }')
	if [ "$got" != "forker 4 below 8 here 8 " ]; then echo "$path: '$got'"; failed=1; fi
done

# That of /proc/PID/cgroup that is above all others; no folder here of that name comes in between.
"$DTX" -q --cgroup / -n 'BEGIN { exit(0); }' >/dev/null || failed=1
dtx=$(readlink -f "$DTX")
if ! (mkdir "$dir/$group" && cd "$dir" && "$dtx" -q --cgroup "$group" -n 'BEGIN { exit(0); }' >/dev/null); then failed=1; fi

# Where they are mounted may have a blank in its name, which /proc/self/mounts does not show as one.
mkdir "$dir/of all"
if unshare -m sh -c 'umount -l "$1" && mount -t cgroup2 none "$2/of all"' sh "$root" "$dir" 2>/dev/null; then
	unshare -m sh -c 'umount -l "$1" && mount -t cgroup2 none "$2/of all" && exec "$3" -q --cgroup "$4" -n "BEGIN { exit(0); }"' \
		sh "$root" "$dir" "$DTX" "/$group" >/dev/null || failed=1
fi

# A container is named after its id or name, whole, or the id cut short; its watcher is not the container.
id=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
mkdir "$root/$group/docker-$id.scope" "$root/$group/lxc.payload.web-$$" "$root/$group/lxc.monitor.web-$$" "$root/$group/machine-db\\x2d$$.scope"
for name in "$id" "${id:0:12}" "web-$$" "db-$$"; do
	"$DTX" -q --container "$name" -n 'BEGIN { exit(0); }' >/dev/null || failed=1
done
got=$("$DTX" -q --container "${id:0:12}" -c "$dir/cmd $group/docker-$id.scope" -n 'syscall::getppid:entry /execname == "cscope"/ { @ = count(); } END { printa("%@d", @); }')
if [ "$got" != 8 ]; then echo "in the container: '$got'"; failed=1; fi

refused() {
	if "$DTX" --cgroup "$1" -n BEGIN 2>"$dir/err" || ! grep -qF -- "$2" "$dir/err"; then
		echo "$1:" && cat "$dir/err" && failed=1
	fi
}
refused /tmp "'/tmp' is not a control group of version 2"
refused web "none of a container of this name or id"
[ -d "$root/docker" ] || refused docker "none of a container of this name or id"
refused "${id:1:12}" "none of a container of this name or id"
mkdir "$root/$group/below/docker-$id.scope"
refused "${id:0:12}" "2 control groups are named after"
refused no/such/group "there is no control group 'no/such/group'"
if "$DTX" --follow -n BEGIN 2>"$dir/err" || ! grep -q -- "--follow needs a process:" "$dir/err"; then
	cat "$dir/err" && failed=1
fi
exit $failed
