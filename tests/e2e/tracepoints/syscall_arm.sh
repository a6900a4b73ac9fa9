#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc objcopy
# where: both
#
# A program of 32 bits on arm64: its system calls have probes of their own, in module arm, with their own names and registers, and are
# not taken for the 64-bit ones of their numbers (20: epoll_create1, 91: capset). Its functions cannot be probed, which is told.
# truth: system calls of 32-bit programs, arm64 | names, arguments, results and errno of each | the program's own calls
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = aarch64 ] || skip "needs an arm64 processor that runs 32-bit programs"

# An ELF file of one segment: getpid() three times with 77777 in r0, munmap(77777, 0), exit_group(0).
gcc -c -x assembler -o "$tmp/arm.o" - <<'END' || fail "cannot assemble"
	.byte 0x7f, 'E', 'L', 'F', 1, 1, 1
	.zero 9
	.2byte 2, 40
	.4byte 1, 0x10054, 52, 0, 0x05000000
	.2byte 52, 32, 1, 0, 0, 0
	.4byte 1, 0, 0x10000, 0x10000, 0x80, 0x80, 5, 0x10000
	.4byte 0xe3a04003	// mov r4, #3
	.4byte 0xe3020fd1	// movw r0, #0x2fd1
	.4byte 0xe3400001	// movt r0, #1
	.4byte 0xe3a07014	// mov r7, #20
	.4byte 0xef000000	// svc 0
	.4byte 0xe2544001	// subs r4, r4, #1
	.4byte 0x1afffff9	// bne, to movw
	.4byte 0xe3020fd1, 0xe3400001
	.4byte 0xe3a01000	// mov r1, #0
	.4byte 0xe3a0705b	// mov r7, #91
	.4byte 0xef000000
	.4byte 0xe3a00000	// mov r0, #0
	.4byte 0xe3a070f8	// mov r7, #248
	.4byte 0xef000000
	.zero 64
END
objcopy -O binary -j .text "$tmp/arm.o" "$tmp/arm" && chmod +x "$tmp/arm"
"$tmp/arm" || skip "needs a processor and a kernel that run 32-bit programs"

dtx -q -x aggsortkey -c "$tmp/arm" -n '
	syscall::epoll_create1:entry, syscall::capset:entry, syscall::exit_group:entry /pid == $target/ { @wrong[probefunc] = count(); }
	syscall:arm:getpid:entry, syscall:arm:getpid:return, syscall:arm:munmap:entry, syscall:arm:munmap:return
	/pid == $target/ { @[probefunc, probename] = count(); }
	syscall:arm::entry /pid == $target && arg0 == 77777/ { @with[probefunc] = count(); }
	syscall:arm:getpid:return /pid == $target && arg1 == $target/ { @result = count(); }
	syscall:arm:munmap:return /pid == $target/ { @errno = max(errno); }
	END { printa("%s %s %@d\n", @); printa("%s %@d\n", @with); printa("%@d\n", @result); printa("%@d\n", @errno); printa("%s! %@d\n", @wrong); }'
sed '/^$/d' "$tmp/out" | diff - <(cat <<'END'
getpid entry 3
getpid return 3
munmap entry 1
munmap return 1
getpid 3
munmap 1
3
22
END
) || fail "$(cat "$tmp/err")"
refused 'the kernel cannot probe this kind of code' -n "uprobe:$tmp/arm:0x10054 { }" -c "$tmp/arm"
