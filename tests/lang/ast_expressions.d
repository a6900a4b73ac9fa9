// SPDX-License-Identifier: BSD-2-Clause
// Every operator, its level and its side; how operands nest.
BEGIN
{
	a = b = c + d * e;
	a = b ? c : d ? e : f;
	a += 1; a -= 1; a *= 2; a /= 2; a %= 3; a &= 1; a |= 2; a ^= 3; a <<= 4; a >>= 5;
	a || b ^^ c && d | e ^ f & g == h < i << j + k * l;
	a - b - c; a / b % c;
	a != b; a <= b; a >= b; a > b; a >> b;
	!a, ~b, -c, +d, *e, &f;
	- -a; !!b;
	++a; --b; c++; d--; -e++;
	(a + b) * c;
	(int)a + (char *)b; (string)c; (struct task_struct *)d; (const unsigned long)e;
	sizeof a + 1; sizeof (int) + 1; sizeof (struct task_struct *); sizeof (a);
	stringof a; stringof(a + b); stringof(a)[0];
	offsetof(struct task_struct, pid);
	a[1]; b[2, "x"]; c[1][2]; self->d["k"]; this->e;
	a.b.c->d; args[0]->for.if->string; `jiffies; ext4`ext4_ops;
	f(); g(1); h(a, (b, c), d = 1);
	trace(a), exit(0)
}
