#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Numbers of programs that are none of D's: in the other order of bytes, decimal, complex, with a fixed point. They are
# shown as bytes, and not taken for integers. A long double has the size that the program gives it.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/other.c" <<'C'
enum color { RED = 1, GREEN = 2 };
struct __attribute__((scalar_storage_order("big-endian"))) packet {
	int n; unsigned short port; enum color color; unsigned bits : 5, more : 27; int list[2]; double d; };
struct outer { struct packet in; enum color own; _Decimal64 price; int k; };
__attribute__((noinline)) int take(struct outer *o) { return o->in.n + (o->price > 1) + o->k; }
__attribute__((noinline)) _Decimal64 price(int k) { return k ? 1.5DD : 2.5DD; }
int main(void)
{
	struct outer o = { { 5, 80, GREEN, 3, 1, { 1, 2 }, 1.5 }, RED, 1.5DD, 9 };
	return take(&o) + (price(0) > 1) != 16;
}
C
gcc -g -o "$tmp/other" "$tmp/other.c"
take="uprobe:$tmp/other:take:entry"
dtx -qn "$take { print(o); printf(\"%d %d\\n\", o->k, o->own); }" -c "$tmp/other"
same '(struct outer) {
.in = (struct packet) {
.n = (struct big-endian int)00 00 00 05,
.port = (struct big-endian short unsigned int)00 50,
.color = (struct big-endian color)00 00 00 02,
.list = (struct big-endian int [2]) [
(struct big-endian int)00 00 00 01,
(struct big-endian int)00 00 00 02,
],
.d = (struct big-endian double)3f f8 00 00 00 00 00 00,
},
.own = (enum color)RED,
.price = (_Decimal64)0f 00 00 00 00 00 a0 31,
.k = (int)9,
}
9 1' "$(sed -e 's/^ *//' -e '/^0x/d' -e '/^$/d' "$tmp/out")" 'the members'
refused "needs an integer, not 'struct big-endian int'" -en "$take { printf(\"%d\", o->in.n); }"
refused "'struct big-endian color'" -en "$take { trace(o->in.color == 2); }"
refused "'struct packet' has no member 'bits'" -en "$take { trace(o->in.bits); }"
refused "'_Decimal64'" -en "$take { trace(o->price + 1); }"
refused "'retval' of type '_Decimal64' cannot be read" -en "uprobe:$tmp/other:price:return { trace(retval); }"

# JSON has no number for them either.
cat >"$tmp/turn.c" <<'C'
struct s { _Complex float turn; _Decimal64 price; float f; };
__attribute__((noinline)) int take(struct s *p) { return p->f > 1; }
int main(void) { struct s s = { 1.0f + 2.0if, 1.5DD, 2.5f }; return take(&s) - 1; }
C
gcc -g -o "$tmp/turn" "$tmp/turn.c"
dtx -q --format json -n "uprobe:$tmp/turn:take:entry { trace(p->turn); trace(p->price); trace(p->f); }" -c "$tmp/turn"
same '"p->turn":{"hex":"0000803f00000040"} "p->price":{"hex":"0f0000000000a031"} "p->f":2.5' \
	"$(sed -n 's/.*"type":"record".*"data"://p' "$tmp/out" | grep -o '"p->[a-z]*":[^}]*}' | sed 's/\([0-9]\)}$/\1/' | paste -sd' ')" 'JSON'

# A long double of a 32-bit program has 12 bytes.
cat >"$tmp/small.c" <<'C'
struct s { long double l; double d; };
__attribute__((noinline)) int take(struct s *p) { return p->l > 1; }
void _start(void) { struct s s = { 1.5L, 2.5 }; __asm__ volatile("int $0x80" :: "a"(1), "b"(take(&s) - 1)); }
C
if gcc -m32 -g -w -ffreestanding -fno-stack-protector -nostdlib -static -no-pie -fno-pic -o "$tmp/small" "$tmp/small.c" 2>/dev/null && "$tmp/small"; then
	dtx -qn "uprobe:$tmp/small:take:entry { printf(\"%.2Lf %.2f\\n\", p->l, p->d); print(p); }" -c "$tmp/small"
	same $'1.50 2.50\n.l = (long double)1.5,' "$(grep -e '^1' -e '\.l = ' "$tmp/out" | sed 's/^ *//')" 'a long double of 12 bytes'
fi

command -v gnatmake >/dev/null || skip 'needs gnatmake: the rest is right'
cat >"$tmp/shop.adb" <<'A'
procedure Shop is
   type Money is delta 0.01 digits 10;
   type Volt is delta 0.125 range 0.0 .. 100.0;
   Sum : Integer := 0; pragma Volatile (Sum);
   procedure Take (M : Money; V : Volt; K : Integer);
   pragma No_Inline (Take);
   procedure Take (M : Money; V : Volt; K : Integer) is
   begin
      Sum := K + Integer (M) + Integer (V);
   end Take;
begin
   Take (1.50, 2.5, 7);
end Shop;
A
(cd "$tmp" && gnatmake -q -g -O0 shop.adb) || fail gnatmake
dtx -qn "uprobe:$tmp/shop:shop__take*:entry { trace(k); }" -c "$tmp/shop"
same 7 "$(grep . "$tmp/out")" 'a parameter after them'
for of in m v; do
	refused 'needs an integer, not' -en "uprobe:$tmp/shop:shop__take*:entry { printf(\"%d\", $of); }"
done
