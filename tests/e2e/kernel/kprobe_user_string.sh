#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# A kernel function's "const char *" may be an address of the program: str() and stringof() of such
# an argument go by the address.
. "$(dirname "$0")/../lib.sh"

for text in 'str(filename)' 'stringof(args[1])' 'copyinstr(arg1)'; do
	dtx -qn "kprobe:do_sys_openat2 /execname == \"cat\"/ { @[$text] = count(); }" -c "cat /etc/passwd /etc/group"
	[ "$(value /etc/passwd)$(value /etc/group)" = 11 ] || { cat "$tmp/out" "$tmp/err" >&2; fail "$text"; }
done

# Linux 5.10 counts no NUL of an empty text.
echo 'cat ""; true' >"$tmp/empty"
dtx -qn 'kprobe:do_sys_openat2 /execname == "cat" && copyinstr(arg1) == ""/ { printf("empty\n"); }' -c "sh $tmp/empty"
same empty "$(grep empty "$tmp/out")" "an empty text: $(cat "$tmp/err")"
