#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes btf
# where: both
#
# The kernel's objects have the places of the kernel's types, also in a program that has other types of these names.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'struct vm_area_struct { int vm_file, vm_start, vm_end; };
	struct mm_struct { int mm_mt; };
	struct dentry { int d_name; };
	struct task_struct { int mm; };
	pid$target:a.out:inner:entry { @[ustack(3)] = count(); @cwd[cwd] = count(); }' -c "$t/mallocs 77:3"
same 'mallocs`inner mallocs`outer mallocs`main 3' \
	"$(sed -nE 's/^ *(mallocs`[a-z]+).*/\1/p; s/^ *(3)$/\1/p' "$tmp/out" | head -4 | paste -sd' ')" "the stack"
grep -q "$PWD" "$tmp/out" || fail "no working directory: $(cat "$tmp/out")"
