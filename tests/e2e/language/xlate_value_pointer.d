// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A translated value and a translated pointer.
struct in { int a; int b; }; struct out { int sum; string text; };
translator struct out < struct in *P > { sum = P->a + P->b; text = P->a > 1 ? "big" : "small"; };
struct in v;
BEGIN { this->p = (struct in *)alloca(sizeof (struct in)); this->p->a = 4; this->p->b = 5; printf("%d %s\n", xlate <struct out *> (this->p)->sum, (xlate <struct out> (this->p)).text); exit(0); }
