#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: fentry btf
# timeout: 60
#
# Parameters at the return of kernel functions, by name: where a trampoline keeps them. args[] and argN are what they are elsewhere.
. "$(dirname "$0")/../lib.sh"

head -c 5000 /dev/zero >"$tmp/zeros"
dtx -qn 'fexit:vfs_read /pid == $target && args.count == 777/ {
		printf("%d %d %d %d %d %s\n", retval, args[1], arg1, arg2, count, stringof(args.file->f_path.dentry->d_name.name)); exit(0); }' \
	-c "dd if=$tmp/zeros of=/dev/null bs=777 count=1 status=none"
same "777 777 777 0 777 zeros" "$(cat "$tmp/out")" 'one function'

# One clause over functions that have them in other places.
dtx -qn 'fexit:vfs_read, fexit:rw_verify_area /pid == $target && args.count == 777/ {
		@[probefunc, stringof(args.file->f_path.dentry->d_name.name)] = count(); }' \
	-c "dd if=$tmp/zeros of=/dev/null bs=777 count=1 status=none"
grep -qE '^ +vfs_read +zeros +1$' "$tmp/out" && grep -qE '^ +rw_verify_area +zeros +[1-9]$' "$tmp/out" || fail "two functions: $(cat "$tmp/out")"

refused 'there is no args[2]' -en 'fexit:vfs_read { trace(args[2]); }'
refused 'there is no args[10]' -en 'fexit:vfs_read { trace(args[10]); }'
refused "has no parameter 'counts'" -en 'fexit:vfs_read { trace(args.counts); }'
refused "has no parameter 'counts'" -en 'fbt::vfs_*:return { trace(args.counts); }'
"$DTX" -lvn 'fexit:vfs_read' >"$tmp/out" || fail 'no list'
grep -qE '^\s+args\.count: size_t count$' "$tmp/out" || fail "$(cat "$tmp/out")"
