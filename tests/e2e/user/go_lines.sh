#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# timeout: 90
# truth: lines of a stripped Go program, its tables of Go 1.2, 1.16, 1.18, 1.20 | probes on lines; file and line in stacks | how often the lines run; the program with DWARF
#
# Lines of Go without DWARF: from what Go itself keeps. Tables of each format are made here, one function of three lines; the compiler's own
# is compared with DWARF.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the function here is written for x86-64'
cat >"$tmp/table.S" <<-'S'
		.globl work
		.type work, @function
	work:	nop
		nop
		nop
	again:	dec %edi
		jnz again
	out:	ret
	end:	.size work, . - work
		.section .gopclntab, "a"
	base:	.long MAGIC
		.byte 0, 0, 1, 8
		.quad 1
	#if FORMAT == 2
	#define FROM base
	#define FILE 4
		.quad work, func - base, end
		.long files - base
	#else
	#define FILE 2
		.quad 1
	#if FORMAT > 16
		.quad work
	#endif
		.quad names - base, units - base, files - base, values - base, funcs - base
	#define FROM values
	#endif
	#if FORMAT == 2
	#define NAMES base
	#else
	#define NAMES names
	#endif
	names:	.byte 0
	name:	.asciz "main.work"
	units:	.long path - files
	#if FORMAT == 2
	files:	.long 2, path - base
	path:	.asciz "/src/shop.go"
	#else
	files:
	path:	.asciz "/src/shop.go"
	#endif
	values:	.byte 0
	sp:	.byte 2, end - work, 0
	file:	.byte FILE, end - work, 0
	line:	.byte 22, 3, 2, out - again, 2, 1, 0
		.balign 8
	funcs:
	#if FORMAT == 16
		.quad work, func - funcs, end
	#elif FORMAT > 16
		.long 0, func - funcs, end - work
	#endif
	func:
	#if FORMAT <= 16
		.quad work
	#else
		.long 0
	#endif
		.long name - NAMES, 0, 0, sp - FROM, file - FROM, line - FROM, 0, 0, 0, 0
		.section .note.GNU-stack, "", @progbits
S
printf 'void work(int);\nint main(void) { work(5); work(6); return 0; }\n' >"$tmp/main.c"
for format in '2 0xfffffffb' '16 0xfffffffa' '18 0xfffffff0' '20 0xfffffff1'; do
	gcc -no-pie -O1 -s -DFORMAT="${format% *}" -DMAGIC="${format#* }" -o "$tmp/made" "$tmp/main.c" "$tmp/table.S" || skip 'gcc does not build it'
	dtx -qn "uprobe:$tmp/made:shop.go:10 { @[10] = count(); } uprobe:$tmp/made:main.work:shop.go@11 { @[11] = count(); }
		uprobe:$tmp/made:shop.go:12 { @[12] = count(); }" -c "$tmp/made"
	same "10 2 11 11 12 2" "$(awk 'NF { print $1, $2 }' "$tmp/out" | sort -n | paste -sd' ')" "lines of Go 1.${format% *}"
	dtx -qx stacklines -n "uprobe:$tmp/made:shop.go:12 { ustack(1); }" -c "$tmp/made"
	grep -q 'made`main.work+0x[0-9a-f]* (shop.go:12)' "$tmp/out" || fail "Go 1.${format% *}: $(cat "$tmp/out")"
done

# The table is read as one piece: it counts as memory of the file.
printf '\t.section .gopclntab, "a"\n\t.space 8 << 20\n' >>"$tmp/table.S"
gcc -no-pie -O1 -s -DFORMAT="${format% *}" -DMAGIC="${format#* }" -o "$tmp/made" "$tmp/main.c" "$tmp/table.S" || fail 'gcc does not build it'
dtx -qvx stacklines -n "uprobe:$tmp/made:shop.go:12 { ustack(1); }" -c "$tmp/made"
grep -qE 'symbols of programs and libraries: .* at most ([89]|1[0-9]) MB' "$tmp/err" || fail "8 MB do not count: $(cat "$tmp/err")"

command -v go >/dev/null || exit 0
cat >"$tmp/now.go" <<-'GO'
	package main
	import "time"
	var sum int64
	//go:noinline
	func hot(n int) {
		for i := 0; i < n; i++ {
			sum += time.Now().UnixNano()
		}
		sum++
	}
	func main() {
		for j := 0; j < 20; j++ { hot(100) }
	}
GO
export GO111MODULE=off GOCACHE="$tmp/cache" HOME="$tmp"
(cd "$tmp" && go build -o now now.go && go build -ldflags '-s -w' -o stripped now.go) 2>"$tmp/err" || skip "go does not build: $(head -n 1 "$tmp/err")"
lines() { "$DTX" -ln "uprobe:$tmp/$1:main.*:now.go@*" | awk '/now.go@/ { print $(NF - 1), $NF }' | sort; }
[ "$(lines now | wc -l)" -ge 4 ] || fail "$(lines now)"
same "$(lines now)" "$(lines stripped)" "lines"
dtx -qx stacklines -n 'pid$target:a.out:time.Now:entry { @[ustack(4)] = count(); } pid$target:a.out:now.go@9 { n++; } END { printf("n %d\n", n); }' -c "$tmp/stripped"
same "n 20 (now.go:7) (now.go:12)" "n $(sed -n 's/^.*n \([0-9]*\)$/\1/p' "$tmp/out") $(grep -o '(now.go:[0-9]*)' "$tmp/out" | sort -u -t: -k2n | paste -sd' ')" "a line, and the lines of a stack"
