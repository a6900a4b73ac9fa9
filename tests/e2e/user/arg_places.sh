#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Arguments whose place depends on what the others are: behind a result in memory, 16-byte alignment on the stack,
# floating-point and complex numbers, structs; and the classes that C++ hands over by their address.
# needs: uprobes gcc g++
# beside: it compiles and starts programs, and waits for no clock
. "$(dirname "$0")/../lib.sh"

# expect WANT PROGRAM CLAUSES (P stands for uprobe:PROGRAM)
expect() {
	dtx -qn "${3//P:/uprobe:$2:}" -c "$2"
	[ "$(cat "$tmp/out")" = "$1" ] || fail "$3: $(cat "$tmp/out")"
}

cat >"$tmp/places.c" <<'C'
struct big { long a, b, c; };
struct two { long a, b; };
struct wide { __int128 w; };
struct empty { };
struct ld { long double ld; };
struct big three(int a, int b) { return (struct big){ a, b, 3 }; }
struct two pair(int a, int b) { return (struct two){ a, b }; }
int wides(struct two p, struct two q, struct two r, int seventh, struct wide w, int last, long double ld, int tail) { return tail; }
int numbers(double _Complex a, double _Complex b, double _Complex c, double _Complex d, double ninth, int first, struct two p,
	    struct two q, int second, int on_stack) { return first; }
int complex(float _Complex x, int a, double _Complex y, int b) { return a; }
int lone(struct ld s, struct empty e, struct two t, int a, int b, int c, int d, int on_stack) { return a; }
int main(void)
{
	struct two t = { 1, 2 };

	three(11, 12);
	pair(21, 22);
	wides(t, t, t, 31, (struct wide){ 7 }, 32, 1.5L, 33);
	numbers(1, 2, 3, 4, 9, 41, t, t, 42, 43);
	complex(1.0f, 51, 2.0, 52);
	lone((struct ld){ 1 }, (struct empty){ }, t, 61, 62, 63, 64, 65);
	return 0;
}
C
gcc -g -o "$tmp/places" "$tmp/places.c" || fail gcc
expect "11 12 | 21 22" "$tmp/places" 'P:three:entry { printf("%d %d", a, b); } P:pair:entry { printf(" | %d %d", a, b); }'
expect "31 32 33" "$tmp/places" 'P:wides:entry { printf("%d %d %d", seventh, last, tail); }'
expect "41 42 43" "$tmp/places" 'P:numbers:entry { printf("%d %d %d", first, second, on_stack); }'
expect "51 52" "$tmp/places" 'P:complex:entry { printf("%d %d", a, b); }'
expect "61 64 65" "$tmp/places" 'P:lone:entry { printf("%d %d %d", args[3], args[6], on_stack); }'

# Vectors, 16-byte numbers, what is not aligned or more than its members are, results in memory for that; enumerations without a sign.
cat >"$tmp/odd.c" <<'C'
typedef int vec __attribute__((vector_size(16)));
typedef int wide __attribute__((vector_size(32)));
enum tint { LIGHT, DARK = 200 } __attribute__((packed));
struct apart { char c; int i; } __attribute__((packed));
struct even { int i; } __attribute__((aligned(32)));
struct low { long double ld; int i; } __attribute__((packed, aligned(4)));
union both { int i[3]; long double ld; };
struct shorts { short s[3]; };
struct tinted { enum tint tint : 8, other; };
struct apart apart(int a, int b) { return (struct apart){ a, b }; }
wide widened(int a, int b) { return (wide){ a, b }; }
int odd(vec v, _Float128 f, int a, struct apart p, int b) { return b; }
int stack(long a, long b, long c, long d, long e, long f, int first, struct even g, int second, struct low h, int third) { return third; }
struct shorts shorts(int a) { return (struct shorts){ { a, a + 1, a + 2 } }; }
int both(union both u, int a) { return a; }
int tints(struct tinted t, int a) { return a; }
int main(void)
{
	apart(11, 12);
	widened(21, 22);
	odd((vec){ 1 }, 2, 31, (struct apart){ 1, 32 }, 33);
	stack(1, 2, 3, 4, 5, 6, 41, (struct even){ 42 }, 43, (struct low){ 1, 44 }, 45);
	shorts(61);
	both((union both){ { 1 } }, 71);
	tints((struct tinted){ DARK, DARK }, 51);
	return 0;
}
C
gcc -g -w -Wno-psabi -o "$tmp/odd" "$tmp/odd.c" || fail gcc
expect "11 12 | 21 22" "$tmp/odd" 'P:apart:entry { printf("%d %d", a, b); } P:widened:entry { printf(" | %d %d", a, b); }'
expect "31 32 33" "$tmp/odd" 'P:odd:entry { printf("%d %d %d", a, p.i, b); }'
# The last one is a large struct without alignment: on x86-64 on the stack, on arm64 at an address that is on the stack.
expect "41 42 43 44" "$tmp/odd" 'P:stack:entry { printf("%d %d %d %d", first, g.i, second, h.i); }'
expect "200 200 DARK 1 51" "$tmp/odd" 'P:tints:entry { printf("%d %d %s %d %d", t.tint, t.other, t.other, t.other == DARK, a); }'
expect "-200 -201 3200 100" "$tmp/odd" 'P:tints:entry { printf("%d %d %d %d", -t.other, ~t.tint, t.other << 4, t.tint >> 1); }'
expect "71" "$tmp/odd" 'P:both:entry { printf("%d", a); }'
expect "61 62 63" "$tmp/odd" 'P:shorts:return { printf("%d %d %d", retval.s[0], args[1].s[1], retval.s[2]); }'

# What the source says of the alignment of a struct, of its members, and of a type that is one.
cat >"$tmp/aligned.c" <<'C'
typedef long al16 __attribute__((aligned(16)));
struct member { long a __attribute__((aligned(16))); long b; };
struct itself { long a, b; } __attribute__((aligned(16)));
struct holder { struct itself x; };
struct named { al16 a; long b; };
long member(int x, struct member s, int k) { return s.a + k; }
long itself(int x, struct itself s, int k) { return s.a + k; }
long holder(int x, struct holder s, int k) { return s.x.a + k; }
long named(int x, struct named s, int k) { return s.a + k; }
long complex(int x, long _Complex c, int k) { return k; }
int main(void)
{
	member(1, (struct member){ 11, 12 }, 13), itself(2, (struct itself){ 21, 22 }, 23);
	holder(3, (struct holder){ { 31, 32 } }, 33), named(4, (struct named){ 41, 42 }, 43);
	complex(5, 51, 53);
	return 0;
}
C
gcc -g -w -Wno-psabi -o "$tmp/aligned" "$tmp/aligned.c" || fail gcc
expect "1 11 12 13 | 2 21 22 23 | 3 31 32 33 | 4 41 42 43 | 53" "$tmp/aligned" 'P:member:entry { printf("%d %d %d %d", x, s.a, s.b, k); }
	P:itself:entry { printf(" | %d %d %d %d", x, s.a, s.b, k); } P:holder:entry { printf(" | %d %d %d %d", x, s.x.a, s.x.b, k); }
	P:named:entry { printf(" | %d %d %d %d", x, s.a, s.b, k); } P:complex:entry { printf(" | %d", k); }'

cat >"$tmp/classes.cc" <<'C'
#include <string>
struct own { int *p; own(int *q) : p(q) { } own(const own &o) : p(o.p) { } ~own() { p = 0; } };
struct holder { std::string s; int n; };
struct virt { int n; virtual int f() { return n; } };
struct derived : virt { int m; };
struct plain { int n; ~plain() = default; };
struct tag { };
struct tagged : tag { int n; };
extern "C" {
int by_own(own o, int k) { return *o.p + k; }
int by_holder(holder h, int k) { return h.n + k; }
int by_derived(derived d, int k) { return d.m + k; }
int by_plain(plain p, int k) { return p.n + k; }
int by_tags(tag t, tagged u, int k) { return u.n + k; }
own gives(int *q, int k) { return own(q + k - k); }
}
int main()
{
	int five = 5;
	derived d;
	tagged u;

	d.n = 1, d.m = 2, u.n = 71;
	own o = gives(&five, 70);
	by_own(o, 72), by_holder({ "text", 73 }, 74), by_derived(d, 75), by_plain({ 76 }, 77), by_tags(tag(), u, 78);
	return 0;
}
C
g++ -w -g -o "$tmp/classes" "$tmp/classes.cc" || fail g++
expect "70 5" "$tmp/classes" 'P:gives:entry { printf("%d", k); } P:gives:return { printf(" %d", *retval->p); }'
expect "5 72 73 74" "$tmp/classes" 'P:by_own:entry { printf("%d %d ", *o->p, k); } P:by_holder:entry { printf("%d %d", h->n, k); }'
expect "2 75 76 77" "$tmp/classes" 'P:by_derived:entry { printf("%d %d ", d->m, k); } P:by_plain:entry { printf("%d %d", p.n, k); }'
expect "71 78" "$tmp/classes" 'P:by_tags:entry { printf("%d %d", u.n, k); }'
