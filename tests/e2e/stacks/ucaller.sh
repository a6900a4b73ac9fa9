#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes btf
# where: both
#
# ucaller at the entry and at the return of a user function is the function that called it, with and without frame pointers.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'pid$target:a.out:inner:entry, pid$target:a.out:inner:return { @[probefunc, probename, usym(ucaller)] = count(); }
	uprobe:libc:malloc /pid == $target && arg0 == 77/ { @[probefunc, probename, usym(ucaller)] = count(); }
	END { printa("%s %s %A %@d\n", @); }' -x aggsortkey -c "$t/mallocs 77:3"
same 'inner entry mallocs`outer 3
inner return mallocs`outer 3
malloc entry mallocs`inner 3' "$(grep . "$tmp/out" | sort)" "callers"
