/* SPDX-License-Identifier: BSD-2-Clause */
// needs: uprobes
// run: -q
// trigger: typed
/*
 * A pointer to what lies in the traced program is one to user memory, however it came about: the address of a member or an
 * element, an array that decays, a declared variable, a cast, a member of a struct that is itself read from there.
 * One to memory of copyin() and alloca(), or to a copy in a variable, is none.
 */
struct item *g;
self struct item *q;
struct item *by_key[int];
this struct item *t;
this struct item *room;
struct mine { int id; int colour; char tag[16]; char *name; struct mine *next; };
pid$target:typed:handle:entry
{
	printf("%d %d %d\n", *&item->id, (&item->line.to[1])->x, (&*item)->id);
	this->id = &item->id;
	printf("%d %s %s %s\n", *this->id, stringof(&item->tag[0]), stringof(item->tag + 1), &item->tag[2]);
}
pid$target:typed:handle:entry
{
	g = item;
	self->q = item->next;
	by_key[1] = item;
	this->t = (struct item *)arg0;
	printf("%d %d %d %d\n", g->id, self->q->id, by_key[1]->next->id, this->t->id);
	this->v = (void *)arg0;
	printf("%d %d\n", ((struct item *)this->v)->id, (*(struct item **)&item->next)->id);
}
pid$target:typed:handle:entry
{
	this->mine = (userland struct mine *)arg0;
	printf("%d %s %d\n", this->mine->next->id, this->mine->name, (*(userland struct mine **)&this->mine->next)->id);
}
pid$target:typed:handle:entry
{
	this->room = (struct item *)copyin(arg0, sizeof (struct item));
	this->room->id++;
	printf("%d %d %s\n", this->room->id, this->room->next->id, stringof((char *)this->room->tag));
	self->copy = *item;
	printf("%d %d\n", ((point_t *)&self->copy.line)->y, (*&self->copy.next)->id);
}
