/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.17
/* xlate to a pointer and to a value: a member is computed where it is used. */
#pragma D option quiet
struct in { int a; int b; };
struct out { int sum; long twice; string name; };
translator struct out < struct in *I > {
	sum = I->a + I->b;
	twice = I->a * 2;
	name = I->a > 5 ? "large" : "small";
};

BEGIN
{
	this->i = (struct in *)alloca(sizeof(struct in));
	this->i->a = 3; this->i->b = 4;
	printf("%d %d %s\n", xlate <struct out *>(this->i)->sum, xlate <struct out>(this->i).twice, xlate <struct out *>(this->i)->name);
	this->i->a = 10;
	printf("%d %s\n", xlate <struct out *>(this->i)->sum, xlate <struct out>(this->i).name);
	exit(0);
}
