#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Objects of C++ classes: members of base classes, templates, namespaces, references, scoped enums, pointers to members; all have their
# places and sizes.
# needs: uprobes g++
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/classes.cc" <<'C'
namespace ns {
struct in { int a; short b[2]; };
enum class colour : unsigned char { RED = 1, BLUE = 200 };
namespace deep { struct in { long z; }; }
inline namespace v1 { struct vin { int q; }; }
}
struct base { long id; int low : 3; static int count; virtual ~base() {} };
int base::count = 7;
struct other { char tag[4]; unsigned flag : 1; };
template <typename T, int N> struct row { T v[N]; T last; };
struct empty {};
struct leaf : base, other, empty {
	ns::colour c; ns::deep::in d; ns::in i; ns::vin vi;
	row<int, 3> t; row<ns::in, 2> *tp;
	int &ref; const leaf &self; ns::in &&rr;
	char16_t c16; char32_t c32; bool yes;
	union { int u1; float u2; };
	int leaf::*where; int (leaf::*what)(int) const; decltype(nullptr) none;
	mutable volatile int last;
	int base;
	leaf(int &r, ns::in &&x) : ref(r), self(*this), rr(static_cast<ns::in &&>(x)) {}
	int method(int q) const { return q + last; }
};
class hidden { int closed = 11; public: int open = 12; };
extern "C" int take(leaf *p, const leaf &r, hidden *h) { return p->last + r.last + h->open; }
int main()
{
	int number = 42;
	ns::in x = { 1, { 2, 3 } };
	row<ns::in, 2> two = { { { 7, { 8, 9 } }, { 10, { 11, 12 } } }, x };
	leaf l(number, static_cast<ns::in &&>(x));
	hidden h;

	l.id = 77, l.low = -2, l.tag[0] = 'a', l.tag[1] = 0, l.flag = 1, l.c = ns::colour::BLUE, l.d.z = 99, l.i = { 5, { 6, -7 } };
	l.vi.q = 3, l.t = { { 1, 2, 3 }, 4 }, l.tp = &two, l.yes = true, l.c16 = 0x1234, l.c32 = 0x12345, l.u1 = 55;
	l.where = &leaf::base, l.what = &leaf::method, l.none = nullptr, l.base = 123;
	l.last = 66;
	return take(&l, l, &h) == l.method(4);
}
C
for how in -gdwarf-5 "-gdwarf-4 -fdebug-types-section" -gdwarf-2; do
	# shellcheck disable=SC2086 # options
	g++ -std=c++20 $how -o "$tmp/classes" "$tmp/classes.cc"
	dtx -qn "uprobe:$tmp/classes:take:entry
	{
		printf(\"%d %d %s %d\\n\", p->id, p->low, p->tag, p->flag);
		printf(\"%s %d %d | %d %d %d %d\\n\", p->c, p->c == BLUE, p->c == RED, p->d.z, p->i.a, p->i.b[1], p->vi.q);
		printf(\"%d %d %d %d\\n\", p->t.v[2], p->t.last, p->tp->v[1].b[0], p->tp->last.a);
		printf(\"%d %d %d | %d %d\\n\", *p->ref, p->self->id, p->rr->b[1], r->id, r->self->self->last);
		printf(\"%x %x %d %d %d %d\\n\", p->c16, p->c32, p->yes, p->u1, p->last, p->base);
		printf(\"%d %d %d\\n\", p->where, p->what.ptr != 0 && !p->what.adj, p->none == NULL);
		printf(\"%d %d\\n\", h->closed, h->open);
		this->l = *p;
		printf(\"%d %d %d\\n\", this->l.id, this->l.vi.q, this->l.base);
		printf(\"%d %d %d\\n\", offsetof(struct leaf, where), sizeof(p->what), sizeof(*p));
	}
	uprobe:$tmp/classes:*method*:entry { printf(\"%d %d\\n\", args[0]->last, q); }" -c "$tmp/classes"
	same "77 -2 a 1
BLUE 1 0 | 99 5 -7 3
3 4 11 1
42 77 3 | 77 66
1234 12345 1 55 66 123
156 1 1
11 12
77 3 123
120 16 160
66 4" "$(grep . "$tmp/out")" "$how"
done

# Two classes of one name are not one type; each has its namespace, and what is only declared is looked for in that.
cat >"$tmp/two.cc" <<'C'
namespace a { struct in { int x; }; }
namespace b { struct in; struct holds { in *other; a::in *mine; }; }
int get(b::in *p);
extern "C" int take(a::in *p, b::in *q, b::holds *h) { return p->x + get(q) + (h->other == q); }
int main() { a::in i{1}; b::holds h = { (b::in *)new long[2]{2, 3}, &i }; return take(&i, h.other, &h) - 5; }
C
cat >"$tmp/in.cc" <<'C'
namespace b { struct in { long p; int y; }; }
struct in { char text[40]; } top;
int get(b::in *p) { return p->y; }
C
g++ -g -o "$tmp/two" "$tmp/two.cc" "$tmp/in.cc"
dtx -qn "uprobe:$tmp/two:take:entry
{
	this->p = p;
	this->q = q;
	printf(\"%d %d %d %d\\n\", this->p->x, this->q->y, h->other->y, h->mine->x);
	printf(\"%d %d %d %d\\n\", ((struct b::in *)arg1)->y, sizeof(struct a::in), sizeof(struct b::in), sizeof(struct two\`b::in));
}" -c "$tmp/two"
same "1 3 3 1
3 4 16 16" "$(grep . "$tmp/out")" "two classes"
"$DTX" -en "uprobe:$tmp/two:take:entry { self->k = *p; self->k = *q; }" 2>"$tmp/err" && fail "one is assigned to a variable of the other"
grep -qF "two types of this name have different members" "$tmp/err" || fail "$(cat "$tmp/err")"
