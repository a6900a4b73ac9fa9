#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: fentry unshare
# truth: stackdepth where the kernel does not say what is a trampoline of BPF | it counts none: it is an error in such a stack | the names in stack()
#
# A kernel without CONFIG_KALLSYMS_ALL, as far as dtx sees: /proc/kallsyms has no variables. Trampolines are known by their code, and
# not all are. A depth that is printed counts none, and at functions, where none was interrupted, it
# is there, if no module is among them (of a file system, where the program is read).
. "$(dirname "$0")/../lib.sh"

grep -v ' bpf_tree$' /proc/kallsyms >"$tmp/symbols"
unsure() { unshare -m bash -c 'mount --bind "$1" /proc/kallsyms && shift && "$@"' - "$tmp/symbols" "$DTX" "$@"; }

around='fbt::vfs_read:entry, fbt::vfs_read:return { @x[execname, pid, timestamp % 10] = quantize(timestamp); }'
reads='dd if=/dev/zero of=/dev/null bs=1 count=10000'
unsure -qn "$around"' profile-1999 /arg0/ { printf("= %d\n", stackdepth); stack(100); }' -o "$tmp/out" -c "$reads" >/dev/null 2>"$tmp/err" ||
	fail "$(cat "$tmp/err")"
grep -q 'not available: this kernel does not say which frames are trampolines' "$tmp/err" || fail "no error in: $(cat "$tmp/err")"
[ "$(grep -c '^=' "$tmp/out")" -gt 100 ] || fail "few depths: $(cat "$tmp/err")"
grep -B 5 -A 5 bpf_trampoline "$tmp/out" >&2 && fail 'a trampoline is counted'

unsure -qn "$around"' fbt::security_file_permission:entry /pid == $target/ { @[stackdepth > 3] = count(); }' -c "$reads" >"$tmp/out" 2>"$tmp/err"
[ "$(awk '$1 == 1 { print $2 }' "$tmp/out")" -gt 9999 ] || fail "at a function: $(cat "$tmp/out" "$tmp/err")"
