/* SPDX-License-Identifier: BSD-2-Clause */
/* A structure may point to itself or to one that is declared later. */
#pragma D option quiet
struct node { int v; struct node *next; struct late *l; };
struct late { int w; };
BEGIN
{
	this->a = (struct node *)alloca(sizeof(struct node));
	this->b = (struct node *)alloca(sizeof(struct node));
	this->a->v = 1;
	this->b->v = 2;
	printf("%d %d\n", this->a->v + this->b->v, sizeof(struct node));
	exit(0);
}
