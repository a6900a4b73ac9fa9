/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* Operators, precedence, strings, conditions, arrays with tuples, and sizes. */
int total;
struct point { int x; char c; long y; };

BEGIN
{
	total = 1 + 2 * 3 - 4 / 2;
	printf("%d %d %d\n", total, -7 / 2, -7 % 2);
	printf("%d %d %d %d\n", 1 << 4 | 3, 0xff & ~0x0f, 5 ^ 1, 1 ^^ 1);
	printf("%d %d %d\n", "abc" == "abc", "abc" < "abd", "b" != "b");
	printf("%d %d\n", sizeof(struct point), sizeof(int));
	a["x", 1] = 10;
	a["x", 2] = 20;
	a["x", 1] += 5;
	printf("%d %d %d\n", a["x", 1], a["x", 2], a["y", 1]);
	this->s = total > 4 ? "large" : "small";
	printf("%s %d\n", this->s, strlen(this->s));
	self->n = 3;
	self->n++;
	printf("%d\n", self->n);
	if (total == 5) {
		printf("five\n");
	} else {
		printf("not five\n");
	}
}

BEGIN
/total == 5 && !(self->n == 3)/
{
	printf("second clause %s%s\n", probeprov, probename);
	exit(0);
}
