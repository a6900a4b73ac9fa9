#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# A program made with the header of -h carries the declaration: args[] have its types and its mapping in programs
# that do not declare the provider, also from two source files, a library, and after strip.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
[[ $DTX = /* ]] || DTX=$OLDPWD/$DTX

cat >till.d <<'END'
typedef struct item { int id; int cents; } item_t;
typedef struct iteminfo { int ii_id; int ii_cents; } iteminfo_t;
translator iteminfo_t < item_t *I > {
	ii_id = *(int *)copyin((uintptr_t)&I->id, 4);
	ii_cents = *(int *)copyin((uintptr_t)&I->cents, 4);
};
END
cat >shop.d <<'END'
#include "till.d"
provider shop {
	probe swap(int a, char *b) : (char *b, int a, short a);
	probe plain__one(signed char, unsigned short n);
	probe item(item_t *it) : (iteminfo_t *it);
	probe nothing(int a) : ();
	probe none();
};
END
cat >main.c <<'END'
#include "shop.h"
struct item { int id, cents; };
int far(volatile int *x);
int main(void)
{
	static struct item tea = { 7, 250 };
	volatile int x = -70000;
	char text[8] = "hi";

	SHOP_SWAP(x, text);
	SHOP_PLAIN_ONE(-1, 65535);
	SHOP_ITEM(&tea);
	SHOP_NOTHING(x);
	SHOP_NONE();
	return far(&x);
}
END
cat >far.c <<'END'
#include "shop.h"
int far(volatile int *x) { char text[8] = "far"; SHOP_SWAP(*x + 70001, text); return 0; }
END
"$DTX" -hC -s shop.d || fail "no header"
gcc -Wall -Werror -O2 -c main.c far.c && gcc -o shop main.o far.o && gcc -O2 -shared -fPIC -o libfar.so far.c &&
	gcc -o apart main.o ./libfar.so && cp shop stripped && strip -s stripped || fail "they do not compile"

cat >use.d <<'END'
#include "till.d"
shop$target:::swap { printf("%s %d %d, %d of %d; raw %d\n", stringof(args[0]), args[1], args.a, args[2],
    sizeof(args[2]), arg0); }
shop$target:::plain-one { printf("%d %d %d\n", args[0], args[1], sizeof(args[0])); }
shop$target:::item { printf("%d %d\n", args[0]->ii_id, args[0]->ii_cents); }
shop$target:::nothing { printf("nothing %d\n", arg0); }
END
want='hi -70000 -70000, -4464 of 2; raw -70000|-1 65535 1|7 250|nothing -70000|far 1 1, 1 of 2; raw 1'
for program in shop apart stripped; do
	dtx -qCs use.d -c "$tmp/$program"
	same "$want" "$(grep . out | paste -sd '|')" "the arguments of $program"
done

dtx -lvP 'shop$target' -c "$tmp/shop"
same 'item: iteminfo_t *it|plain-one: signed char|plain-one: unsigned short n|swap: char *b|swap: int a|swap: short a' \
	"$(awk '/^[0-9]/ { name = $NF } sub(/.*args\[[0-9]\]: /, "") { print name ": " $0 }' out | sort -u | paste -sd '|')" \
	"-lv does not know the declaration"

# A type that the tracing program does not know: the number is there.
dtx -qn 'shop$target:::item { printf("%d %d\n", args[0] != 0, args[0] == arg0); }' -c "$tmp/shop"
same '1 1' "$(grep . out)" "a pointer to an unknown type"
# The declaration of the tracing program counts.
dtx -qn 'provider shop { probe swap(int x, char *y) : (int x, char *y); }; shop$target:::swap { trace(args[0]); trace(args.x); }' -c "$tmp/shop"
same '-70000-7000011' "$(grep . out)" "the declaration of the program is not used"
