#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# where: both
#
# USDT probes of a 32-bit program: notes with 4-byte words, arguments in 32-bit registers and on the stack.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/small.c" <<-'END'
	#include <sys/sdt.h>
	static char word[] = "?mall"; /* touched: a page that is not there cannot be read */
	static long gate(long nr, long a)
	{
		long r;
		__asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(a) : "memory");
		return r;
	}
	__attribute__((noinline)) static void turn(int i, volatile long long wide, short neg)
	{
		DTRACE_PROBE4(shop, turn, i, wide, neg, word);
	}
	void _start(void)
	{
		word[0] = 's';
		for (int i = 0; i < 3; i++)
			turn(i * 100, 0x100000000LL * i + 7, -i);
		gate(1, 0);
	}
END
gcc -m32 -idirafter "/usr/include/$(gcc -print-multiarch)" -O1 -nostdlib -static -ffreestanding -fno-pie -no-pie -fno-stack-protector -o "$tmp/small" "$tmp/small.c" 2>"$tmp/err" ||
	skip "gcc makes no 32-bit programs here: $(head -n 1 "$tmp/err")"
"$tmp/small" || skip "this kernel runs no 32-bit programs"
dtx -qn "usdt:$tmp/small:shop:turn { printf(\"%d %d %s\n\", (int)arg0, (int)arg2, copyinstr((uint32_t)arg3)); }" -c "$tmp/small"
same "$(printf '%d %d small\n' 0 0 100 -1 200 -2)" "$(grep . "$tmp/out")" "not what the program does"
