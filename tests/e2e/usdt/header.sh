#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.h flag.G lang.18
# needs: uprobes gcc
#
# -h: a provider declaration to a header; a C program of two source files and a library that use it run with and
# without an observer; the declaration gives args[] their types.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
[[ $DTX = /* ]] || DTX=$OLDPWD/$DTX

cat >shop.d <<'END'
provider shop {
	probe order__start(int id, char *what, unsigned char count);
	probe order__done(int id, long cents);
	probe closed();
};
END
"$DTX" -h -s shop.d || fail "-h failed"
"$DTX" -h -s shop.d -o other.h && cmp shop.h other.h || fail "-o FILE is not the same as the name made of the script's"
"$DTX" -h -s shop.d || fail "a second -h failed"
cmp shop.h other.h || fail "the header is not overwritten"

# What cannot be made leaves the old file.
echo 'provider shop { probe' >bad.d
cp other.h bad.h && cp other.h bad.o
"$DTX" -h -s bad.d 2>err && fail "-h of a declaration that ends too early"
"$DTX" -G -s bad.d 2>err && fail "-G of one"
"$DTX" -h -s none.d -o bad.h 2>err && fail "-h of no script"
mv bad.d worse.d; "$DTX" -h -s worse.d 2>err || "$DTX" -G -s worse.d 2>err && fail "the declaration is accepted"
[ ! -e worse.h ] && [ ! -e worse.o ] || fail "an empty file is left"
cmp bad.h other.h && cmp bad.o other.h || fail "an old file is lost"
cat other.h other.h >long.h && "$DTX" -h -s shop.d -o long.h && cmp long.h other.h || fail "the end of a longer file stays"
"$DTX" -h -s shop.d -o - >>long.h && cmp long.h <(cat other.h other.h) || fail "-o - does not append"

cat >order.c <<'END'
#include "shop.h"
void order(int id, const char *what, int count, int price)
{
	if (SHOP_ORDER_START_ENABLED())
		SHOP_ORDER_START(id, what, count);
	if (SHOP_ORDER_DONE_ENABLED())
		SHOP_ORDER_DONE(id, price * count);
}
END
cat >library.c <<'END'
#include "shop.h"
int library(void) { char text[8] = "tart"; SHOP_ORDER_START(3, text, 1); SHOP_CLOSED(); return SHOP_CLOSED_ENABLED(); }
END
cat >main.c <<'END'
#include <stdio.h>
#include "shop.h"
void order(int, const char *, int, int);
int library(void);
int main(void)
{
	char tea[] = "tea", cake[] = "cake";
	order(1, tea, 300, 50);
	order(-2, cake, 1, -7);
	SHOP_CLOSED();
	fprintf(stderr, "closed is watched: %d %d\n", SHOP_CLOSED_ENABLED(), library());
	return 0;
}
END
gcc -Wall -Werror -O2 -shared -fPIC library.c -o libshop.so && gcc -Wall -Werror -O2 main.c order.c ./libshop.so -o shop ||
	fail "the programs do not compile"

cat shop.d - >trace.d <<'END'
shop$target:::order-start { printf("%d %s %d\n", args[0], stringof(args[1]), args[2]); }
shop$target:shop:order:order-done { printf("%d %d\n", args[0], args[1]); }
shop$target:shop::closed { printf("%s %s\n", probemod, probefunc); }
END
dtx -qs trace.d -c "$tmp/shop"
same $'1 tea 44\n1 15000\n-2 cake 1\n-2 -7\nshop main\n3 tart 1' "$(grep . out)" "not the firings of the program"
same 'closed is watched: 1 0' "$(grep closed err)" "_ENABLED() is wrong"
dtx -lvs trace.d -c "$tmp/shop"
same 'args[0]: int id|args[1]: char *what|args[2]: unsigned char count' \
	"$(grep -A 20 'order-start' out | grep -m 3 'args\[' | sed 's/^[[:space:]]*//' | paste -sd '|')" "-lv does not know the declaration"

same 'closed is watched: 0 0' "$(./shop 2>&1)" "enabled without an observer"


# It needs no other header, and says where arguments of each type are, for both sizes of a pointer.
grep -q '#include' shop.h && fail "the header needs another one"
cat >wide.d <<'END'
provider wide {
	probe all(int a, long b, unsigned short c, char *d, unsigned char e, int64_t f, uint32_t g, short h, void *i, double j);
	probe none();
};
END
cat >wide.c <<'END'
#include "wide.h"
int main(int argc, char **argv)
{
	char text[8] = "hi";
	volatile int x = -3;
	WIDE_ALL(x, -5L, 70000, text, 300, -1LL, 0xffffffffu, x, argv, 1.5);
	WIDE_NONE();
	return argc < 0;
}
END
dtx -h -s wide.d
{ cat wide.d; echo 'wide$target:::all { printf("%d %d %d %s %d %d %u %d %d\n", args[0], args[1], args[2], stringof(args[3]), args[4], args[5],
	args[6], args[7], args[8] != NULL); } wide$target:::none { printf("none\n"); }'; } >all.d
for options in -O0 -O2 '-O0 -fPIC -pie' '-x c++ -O2' '-O2 -flto'; do
	gcc -Wall -Werror $options -o wide wide.c || fail "wide.c does not compile with $options"
	dtx -qs all.d -c "$tmp/wide"
	same $'-3 -5 4464 hi 44 -1 4294967295 -3 1\nnone' "$(grep . out)" "arguments with $options"
done
if [ "$(uname -m)" = x86_64 ]; then # compilers of arm64 are for one size
	gcc -m32 -O2 -c -o small.o wide.c && LC_ALL=C readelf -n small.o >out 2>&1 || fail "not for 32 bits: $(cat out)"
	grep -q 'Arguments: -4@.* -4@.* 4@.* 4@.* 4@' out || fail "the sizes for 32 bits: $(cat out)"
fi

# -G, for makefiles that have it: an object that links, and changes nothing.
"$DTX" -G -s shop.d missing.o 2>err && fail "-G read an object that is not there"
grep -q 'cannot read the object missing.o' err || fail "no word on the object: $(cat err)"
gcc -O2 -c order.c main.c 2>err || fail "no objects: $(cat err)"
dtx -G -s shop.d order.o main.o
dtx -G -o other.o -s shop.d order.o main.o
cmp -s shop.o other.o || fail "-o does not name the object"
mkdir linked; gcc -Wl,--fatal-warnings -o linked/shop main.o order.o shop.o ./libshop.so 2>err || fail "what -G made does not link: $(cat err)"
dtx -qs trace.d -c "$tmp/linked/shop"
grep -q '^1 tea 44$' out || fail "no probes in the linked program: $(cat out)"
dtx -G -n 'provider p { probe q(); };'
cmp -s shop.o d.out || fail "without a script it is not d.out"
# Objects that were made with the header of another DTrace want symbols that nobody has.
cat >other.c <<'END'
void __dtrace_shop___closed(void);
int __dtraceenabled_shop___closed(long);
int main(void) { if (__dtraceenabled_shop___closed(0)) __dtrace_shop___closed(); return 0; }
END
gcc -c other.c
"$DTX" -G -o none.o -s shop.d other.o 2>err && fail "-G takes an object that cannot be linked"
grep -q "other.o uses __dtrace.*shop___closed.*dtx -h" err || fail "no word on the symbols: $(cat err)"
[ ! -e none.o ] || fail "an object is written all the same"
echo 'BEGIN { }' >none.d
"$DTX" -h -s none.d 2>err && fail "-h without a declaration succeeded"
grep -q 'no provider declaration' err || { cat err >&2; fail "no word on what -h needs"; }
"$DTX" -h -n 'provider p { probe q(); };' 2>err && fail "-h -n without -o succeeded"
grep -q 'needs an output file' err || fail "no word on -o"
