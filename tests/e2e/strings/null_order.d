// SPDX-License-Identifier: BSD-2-Clause
// NULL is before every text, the empty one too, and equal to NULL only; whatever kind of variable or result holds it.
// truth: strings, NULL | all six comparisons with texts and with NULL, both ways | the order that the reference states
#pragma D option quiet
self string never; string each[int];
BEGIN { s = "a"; s = NULL; t = "b"; this->n = "x"; this->n = NULL; }
BEGIN { printf("%d%d%d%d%d%d\n", s < "a", s <= "a", s > "a", s >= "a", s == "a", s != "a"); }
BEGIN { printf("%d%d%d%d%d%d\n", "a" < s, "a" <= s, "a" > s, "a" >= s, "a" == s, "a" != s); }
BEGIN { printf("%d%d%d%d%d%d\n", s < t, s <= t, s > t, s >= t, s == t, s != t); }
BEGIN { printf("%d%d%d%d%d%d\n", s < "", s <= "", s > "", s >= "", s == "", s != ""); }
BEGIN { printf("%d%d%d%d%d%d\n", s < each[1], s <= each[1], s > each[1], s >= each[1], s == each[1], s != each[1]); }
BEGIN { printf("%d%d%d%d%d%d\n", s < NULL, s <= NULL, s > NULL, s >= NULL, s == NULL, s != NULL); }
BEGIN { printf("%d%d%d%d%d%d\n", t < NULL, t <= NULL, t > NULL, t >= NULL, t == NULL, t != NULL); }
BEGIN { printf("%d%d%d%d%d%d\n", NULL < t, NULL <= t, NULL > t, NULL >= t, NULL == t, NULL != t); }
BEGIN { printf("%d%d%d%d\n", strchr("abc", 'z') < "b", strstr("a", "z") < self->never, self->never < execname, "a" > strrchr("a", 'z')); }
BEGIN { exit(0); }
