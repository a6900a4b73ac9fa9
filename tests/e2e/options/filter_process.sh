#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# -p traces one process, --follow also what it starts (children that were there already, and
# orphans), --comm threads of one name; each also with dtx in a pid namespace of its own.
# needs: root unshare
# timeout: 60
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# Names of this run alone: others may run the same test.
export dir me=$$ forker=$dir/f$$ DTX
cp "$DTX_TRIGGERS/forker" "$forker"
failed=0

# The forker waits in a pipe until dtx traces and a stranger has made the same calls.
cat >"$dir/inner" <<'EOF'
exec 5<>"$dir/go" 2>&1
(
	"$forker" "s$me" <"$dir/go" &
	echo $! >"$dir/pid"
	[ -z "$below" ] || wait
) 5>&- &
parent=$!
until pid=$(cat "$dir/pid" 2>/dev/null) && [ "$pid" ]; do :; done
[ -z "$below" ] || pid=$parent
timeout 20 "$DTX" -qw -o "$dir/out" -x aggsortkey -n '
	syscall::getppid:entry /index(execname, $$3) == 1/ { @[execname] = count(); }
	tick-10ms /!told/ { told = 1; system("%s o%s </dev/null; echo >%s/go", $$1, $$3, $$2); }
	END { printa("%s %@d ", @); }' -p $pid "$@" "$forker" "$dir" "$me" 5>&-
EOF

# counts WANT OPTION…
counts() {
	local want=$1 apart got
	shift
	for apart in "" "unshare -p -f --mount-proc"; do
		rm -f "$dir"/{go,out,pid} && mkfifo "$dir/go"
		$apart bash "$dir/inner" "$@" || failed=1
		got=$(tr -d '\n' <"$dir/out" | sed "s/$me//g")
		if [ "$got" != "$want " ]; then echo "$apart $*: '$got', not '$want'"; failed=1; fi
	done
}

export below=
counts "f 2"
counts "f 2 s 8" --follow
counts "s 8" --follow --comm "s$$"
counts "f 4 o 8 s 8" -x grabonly
counts "o 8" -x grabonly --comm "o$$"
below=yes
counts "f 2 s 8" --follow
exit $failed
