#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# The first stack of a probed program on an overlay file system is whole: the kernel knows the file by other numbers than stat(2) shows.
. "$(dirname "$0")/../lib.sh"

mkdir "$tmp/lower" "$tmp/upper" "$tmp/work" "$tmp/all"
mount -t tmpfs tmpfs "$tmp/lower" || skip "no tmpfs can be mounted"      # layers of two file systems: a device of its own for each
trap 'umount "$tmp/all" "$tmp/lower" 2>/dev/null; rm -rf "$tmp"' EXIT
cat >"$tmp/prog.c" <<'END'
static volatile int sum;
__attribute__((noipa)) void inner(int n) { sum += n; }
__attribute__((noipa)) void outer(int n) { inner(n); sum++; }
int main(void) { outer(3); return 0; }
END
gcc -O2 -static -fomit-frame-pointer -o "$tmp/lower/prog" "$tmp/prog.c" || fail "cannot compile"
mount -t overlay overlay -o "lowerdir=$tmp/lower,upperdir=$tmp/upper,workdir=$tmp/work" "$tmp/all" 2>/dev/null || skip "no overlay can be mounted"
# The program is not the target, whose files are known anyway.
dtx -qw -n "BEGIN { system(\"%s\", \"$tmp/all/prog\"); } uprobe:$tmp/all/prog:inner:entry { ustack(); exit(0); } tick-5s { exit(0); }"
tr '\n' ' ' <"$tmp/out" | grep -qE 'prog`inner +prog`outer[^ ]* +prog`main[^ ]* .*_start[^ ]* *$' || fail "the first stack: $(cat "$tmp/out" "$tmp/err")"
