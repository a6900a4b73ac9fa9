// SPDX-License-Identifier: BSD-2-Clause
// An associative array may be read before the clause that assigns it, in a predicate too; its types are those of the assignments.
#pragma D option quiet
struct pair { int a; long b; };
struct pair p;
BEGIN /!since[pid, "x"] && self->name["k"] == NULL/ { printf("%d %d\n", since[pid, "x"], self->name["k"] == "text"); }
BEGIN { printf("%d %d\n", pairs[1].a, task[2] == NULL); }
BEGIN { printf("%d %d\n", chain[1], ticks[0]); }
BEGIN { pairs[1] = p; chain[1] = since[pid, "x"] - 7; ticks[0]++; task[2] = curthread; }
BEGIN { since[pid, "x"] = 1; self->name["k"] = "text"; p.a = 5; p.b = 6; }
BEGIN { since[pid, "x"] = 0x123456789abcdef; }
BEGIN { pairs[1] = p; }
BEGIN { printf("%x %d %s %d\n", since[pid, "x"], ticks[0], self->name["k"], chain[1]); }
BEGIN { printf("%d %d %d\n", pairs[1].a, pairs[1].b, task[2]->pid == tid); exit(0); }
