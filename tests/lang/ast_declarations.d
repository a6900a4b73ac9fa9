// SPDX-License-Identifier: BSD-2-Clause
// Declarations: variables, types, layouts.
int a;
int b, *c, d[3], e[2][3];
string f;
self int g;
self h;
this string i;
this char j[16];
uint64_t k[string, int];
self int l[int, string s];
int *m[4], (*n)[4], (*o)(int, char *), *p[string];
extern int q;
int r(int);
unsigned s; signed char t; unsigned char u; long long v; unsigned long int w; const volatile char *x;
long double dbl;
int a;
typedef struct pt { int x, y; } pt_t, *pt_p;
pt_t here;
pt_p there;
typedef unsigned long pt_size;
struct fields {
	char c;
	int lo:3, hi:7;
	unsigned :0;
	unsigned long wide:40;
	struct fields *next;
	union { int i; long l; };
	pt_t p[2];
	int (*fn)(struct fields *, ...);
	char tail[];
};
union both { char c[5]; short s; };
enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 1 };
enum { ALONE = -1 };
enum color paint;
struct forward;
struct forward *f1;
struct forward { int z; };
int sized[sizeof (pt_t)], named[LAST];
BEGIN { y = (pt_t *)1; z = (pt_p)2; sizeof (enum color); sizeof (struct fields [2]); }
