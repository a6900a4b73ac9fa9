#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: both
#
# Scripts of Solaris name the module where its stable probes are; here that is the kernel. A function is not left out, for
# other functions would be counted as well. Of system calls, and of words in wrong fields, the message says what to write.
. "$(dirname "$0")/../lib.sh"

for probe in proc:genunix::exec-success:proc:::exec-success sysinfo:unix::pswitch:sysinfo:::pswitch; do
	theirs=$(cut -d: -f1-4 <<<"$probe") ours=$(cut -d: -f5- <<<"$probe")
	same "$("$DTX" -ln "$ours")" "$("$DTX" -ln "$theirs")" "$theirs"
done
near() {
	"$DTX" -en "$1 { trace(1); }" 2>"$tmp/err" && fail "$1 is taken"
	grep -qxF "      = help: near it: $2" "$tmp/err" || { cat "$tmp/err" >&2; fail "$1: not the next step"; }
}
near sysinfo:genunix:pread:readch sysinfo:::readch
near syscall:genunix:read:entry syscall::read:entry
near syscall:read:entry syscall::read:entry
near syscall::read syscall::read:
near proc::exec-success proc:::exec-success
near dtrace:vmlinux::BEGIN dtrace:::BEGIN
