// SPDX-License-Identifier: BSD-2-Clause
// What an inline or a translator is given is evaluated once, however often its parameter is used.
// truth: inlines and translators given n++, n = 4, rand(), strtok(), alloca(), walltimestamp | values, and the variables after it | arithmetic by hand
#pragma D option quiet
inline int square[int a] = a * a;
inline int none[int a] = 7;
inline int less[int a, int b] = a < b ? a : b;
inline string twice[string s] = strjoin(s, s);
inline int text[char *p] = ((p[0] = 65), (p[1] = 66), p[0] + p[1]);
inline int64_t same[int64_t t] = t - t;

struct small { int sum; int own; };
struct large { int square; struct small *next; string text; };
translator struct small < int i > { sum = i + i; own = i; };
translator struct large < int i > {
	square = i * i;
	next = xlate <struct small *>(i * i);
	text = strjoin(lltostr(i), lltostr(i));
};
translator struct large < struct small s > { square = s.sum * 10 + s.own; };
inline struct large made[int n] = xlate <struct large>(n + n);

BEGIN
{
	n = 3;
	printf("%d %d | ", square[n++], n);
	printf("%d %d | ", square[square[++n]], n);
	printf("%d %d | ", none[n = 4], n);
	printf("%s %d | ", twice[lltostr(n++)], n);
	a["k"] = 3;
	printf("%d %d\n", less[n--, a["k"]++] * 100 + n, a["k"]);
}
BEGIN
{
	for (i = 0; i < 200; i++)
		over += less[rand() & 15, 7] > 7;
	printf("%d %d %d %s", over, text[(char *)alloca(4)], same[walltimestamp],
	    twice[strtok("a b", " ")]);
	printf("%s\n", strtok(NULL, " "));
}
BEGIN
{
	n = 3;
	printf("%d %d | ", xlate <struct large>(n++).square, n);
	printf("%d %d | ", xlate <struct large>(n++).next->sum, n);
	printf("%s %d | ", made[n++].text, n);
	printf("%d %d | ", xlate <struct large>(xlate <struct small>(n++)).square, n);
	whole = xlate <struct small>(n++);
	printf("%d %d %d | ", whole.sum, whole.own, n);
	pointer = xlate <struct small *>(n++);
	printf("%d %d %d | ", pointer->sum, pointer->own, n);
	n = 0;
	printf("%d %d\n", fds[n++].fi_oflags == fds[0].fi_oflags, n);
	exit(0);
}
