/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of alloca() is written through pointers, members, indices, operators. */
#pragma D option quiet
struct pt { int x; char c; short s; long y; };
BEGIN
{
	this->p = (struct pt *)alloca(2 * sizeof(struct pt));
	this->p->x = 5;
	this->p->y = -7;
	this->p->c = 'q';
	this->p->s = -2;
	this->p->x += 3;
	this->p->y++;
	this->q = this->p + 1;
	this->q->x = this->p->x--;
	printf("%d %d %c %d %d\n", this->p->x, this->p->y, this->p->c, this->p->s, this->q->x);
	this->i = (int *)alloca(16);
	this->i[0] = 1;
	this->n = 3;
	this->i[this->n] = 9;
	*(this->i + 1) = 4;
	*((char *)this->i + 2) = 1;
	printf("%x %d %d\n", this->i[0], this->i[this->n], *(this->i + 1));
	this->c = (char *)alloca(8);
	bcopy("hello", this->c, 6);
	this->c[0] = 'j';
	printf("%s %c\n", stringof(this->c), this->c[4]);
	bcopy(this->c + 1, this->c, 5);
	printf("%s\n", stringof(this->c));
	exit(0);
}
