#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc unshare chroot
# where: native
# timeout: 60
#
# Paths with -p are those of the process: in its mount namespace, in its root. Another file has the same path here. Without -p, a path
# that only a process has is suggested as /proc/PID/root/….
#
# truth: paths of a process with another root | calls counted by uprobe, pid and usdt: with -p | the program counts its calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/prog.c" <<'END'
#include <unistd.h>
__attribute__((noipa)) int beats(int n) { __asm__ volatile("" ::: "memory"); return n; }
int main(void) { for (;; usleep(5000)) beats(41); }
END
gcc -g -O1 -static -o "$tmp/prog" "$tmp/prog.c" || skip 'no static C library'
echo 'int pad(int n) { return n; } int beats(int n) { return n; } int main(void) { return pad(beats(1)); }' | gcc -g -x c -o "$tmp/other" - || fail 'cannot compile'
mkdir "$tmp/hidden" "$tmp/seen" "$tmp/jail" "$tmp/jail/bin"
cp "$tmp/prog" "$tmp/hidden/prog"
cp "$tmp/other" "$tmp/seen/prog"
cp "$tmp/prog" "$tmp/jail/bin/prog"
ln -s /bin/prog "$tmp/jail/link"
pids=()
trap 'kill "${pids[@]}"; rm -rf "$tmp"' EXIT
counts() { # PROBE…
	local probe
	for probe; do
		"$DTX" -qn "$probe { @[args.n] = count(); } tick-10ms { i++; } tick-10ms /i > 9/ { exit(0); }" -p $pid >"$tmp/out" 2>"$tmp/err"
		[ "$(awk 'NF { print $1; exit }' "$tmp/out")" = 41 ] || fail "$probe: $(cat "$tmp/out" "$tmp/err")"
	done
}

unshare -m bash -c "mount --bind '$tmp/hidden' '$tmp/seen' && exec '$tmp/seen/prog'" &
pid=$! pids+=($!)
awaits grep -qx prog "/proc/$pid/comm"
counts "uprobe:$tmp/seen/prog:beats" "uprobe:$tmp/hidden/prog:beats" 'pid$target:a.out:beats:entry' 'pid$target:prog:be*:entry' "uprobe:prog:beats"
rm "$tmp/hidden/prog"
counts "uprobe:$tmp/seen/prog:beats" 'pid$target:a.out:beats:entry'

chroot "$tmp/jail" /bin/prog &
pid=$! pids+=($!)
awaits grep -qx prog "/proc/$pid/comm"
counts uprobe:/bin/prog:beats uprobe:/link:beats "uprobe:/bin/pro*:beats" "uprobe:$tmp/jail/bin/prog:beats" 'pid$target:a.out:beats:entry'
"$DTX" -n 'uprobe:/sbin/prog:beats { }' -p $pid >"$tmp/out" 2>"$tmp/err" && fail 'a file that is not there is probed'
grep -q "no file '/sbin/prog' in the root of process $pid" "$tmp/err" || fail "$(cat "$tmp/err")"
"$DTX" -n 'uprobe:/bin/prog:beats { }' >"$tmp/out" 2>"$tmp/err" && fail 'a file that is not here is probed'
grep -q "write /proc/$pid/root/bin/prog, or -p $pid" "$tmp/err" || fail "$(cat "$tmp/err")"
"$DTX" -qn "uprobe:/proc/$pid/root/bin/prog:beats { exit(0); }" || fail 'the suggested path does not work'
