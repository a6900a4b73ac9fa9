#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What C says about the layout of structs beside their members is heard: the attributes packed, aligned, vector_size and mode wherever
# they may stand, _Alignas and #pragma pack. Sizes and places are those that the C compiler gives.
# needs: cpp gcc
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/t.h" <<'C'
#include <stdarg.h>
#include <stdint.h>
#include <sys/epoll.h>
struct __attribute__((packed)) front { char a; int b; long : 7; char c; };
struct member { char a; int b __attribute__((__packed__)); short c; } __attribute__((__aligned__(8)));
struct two { char a; long b __attribute__((aligned(4))), c __attribute__ ((aligned (32))); };
struct inner { char a; struct { char x; long y; } __attribute__((packed)) in; long d; };
struct before { __attribute__((aligned(16))) char a, b; char c; };
struct between { char a; int __attribute__((aligned(64))) b, *c; };
struct as { _Alignas(16) char a; _Alignas(long) char b; };
struct most { char a; char b __attribute__((aligned)); char c __attribute__((aligned(sizeof(long) * 2 /* ) */), unused)); };
typedef int far_t __attribute__((aligned(32)));
typedef struct { char a; long b; } __attribute__((packed)) tight_t;
typedef long low_t __attribute__((aligned(2)));
struct named { char a; far_t b; char c; tight_t d; low_t e; };
typedef int v4_t __attribute__((vector_size(16)));
typedef unsigned int wide_t __attribute__((__mode__(__DI__)));
struct modes { char a; v4_t b; wide_t c; short d __attribute__((mode(SI))); };
enum less { LESS, LESS_TOO = 200 } __attribute__((packed));
enum sign { SIGN = -1, SIGN_TOO = 200 } __attribute__((packed));
enum full { FULL, FULL_TOO = 0x80000000 };
enum byte { BYTE, BYTE_TOO } __attribute__((mode(byte)));
enum more { MORE, MORE_TOO = 0x100000000 };
struct enums { char a; enum less b; char c; enum sign d; enum full e; enum more f; enum byte g; };
struct wide { char a; __int128 b; char c; unsigned __int128 d __attribute__((packed)); va_list e; char f; };
typedef const char (*const wide)[32];
#pragma pack(push, 2)
struct two_most { char a; int b; long c; short d : 3; int e : 20; char f; };
#pragma pack(1)
struct one_most { char a; int b; struct two_most c; long d __attribute__((aligned(8))); };
#pragma pack(pop)
struct again { char a; int b; };
#pragma pack(4)
struct four_most { char a; long b; struct { char x; double y; } c; };
#pragma pack()
struct plain { char a; long b; };
extern int fun(const char *f, ...) __attribute__((format(printf, 1, 2), nonnull(1))) __attribute__((deprecated("no )(" "x")));
static inline __attribute__((always_inline)) int twice(int x) { return x * 2; }
struct ends { int a : 3; int : 0; char b; } __attribute__((packed));
struct units { long a : 40; char b; long c : 30; char d; };
union __attribute__((packed)) any { char a[3]; int b; };
struct __attribute__((packed)) __attribute__((aligned(4))) both { char a; long b; char c; };
typedef struct __attribute__((packed)) { char a; long b; } nameless_t;
static inline __attribute__((noinline, deprecated("{"))) int body(int a) { return a; }
struct nameless { char a; nameless_t b; };
struct holds { char a; union any b; struct both c; __attribute__((packed)) struct { int b; } d; int e __attribute__((packed)); };
C
cat >"$tmp/list" <<'END'
struct front a b c
struct member a b c
struct two a b c
struct inner a in d
struct before a b c
struct between a b c
struct as a b
struct most a b c
struct named a b c d e
struct modes a b c d
struct enums a b c d e f g
struct wide a b c d e f
struct two_most a b c f
struct one_most a b c d
struct again a b
struct four_most a b c
struct plain a b
struct ends b
struct units b d
union any a b
struct both a b c
struct holds a b c d e
struct nameless a b
struct epoll_event events data
END
while read -r kind name members; do
	echo "printf(\"$name %d\", (int)sizeof ($kind $name));"
	for member in $members; do echo "printf(\" %d\", (int)offsetof($kind $name, $member));"; done
	echo 'printf("\n");'
done <"$tmp/list" >"$tmp/body"
{ printf '#include <stdio.h>\n#include <stddef.h>\n#include "t.h"\nint main(void)\n{\n'; cat "$tmp/body"; echo '}'; } >"$tmp/t.c"
{ printf '#include "t.h"\nBEGIN\n{\n'; cat "$tmp/body"; echo 'exit(0); }'; } >"$tmp/t.d"
gcc -w -o "$tmp/t" "$tmp/t.c"
dtx -qCs "$tmp/t.d"
same "$("$tmp/t")" "$(cat "$tmp/out")" 'not where the C compiler has it'

# In a script, too, and a member may have a name that means something in D alone.
cat >"$tmp/s.d" <<'D'
struct s { char self; long string __attribute__((packed)); int (*provider)(void), probe __attribute__((aligned(16))); } __attribute__((packed));
enum colour { RED, BLUE = 3 };
struct bits { enum colour c : 2; } bits;
BEGIN { bits.c = BLUE; printf("%d %d %d %d", sizeof (struct s), (long)&((struct s *)0)->string, (long)&((struct s *)0)->probe, bits.c); exit(0); }
D
dtx -qs "$tmp/s.d"
same '48 1 32 3' "$(cat "$tmp/out")" 'in a script'
