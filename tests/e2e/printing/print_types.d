/* SPDX-License-Identifier: BSD-2-Clause */
/* print() of every sort of member, and of single objects. */
/* filter: ptr */
#pragma D option quiet
typedef struct pt { int x; int y; } pt_t;
enum col { RED = -1, GREEN = 5 };
union u { int i; char c[4]; };
struct all {
	pt_t p; pt_t *pp; struct pt ps[2]; char name[8]; int v[3]; union u u;
	unsigned b1:3; int b2:5; enum col col; int (*fn)(int, char *); uint64_t u64; void *vp;
	struct { int anon; }; struct { int z; } inner; _Bool bo; unsigned char uc; signed char sc;
	pt_t **ppp; int m[2][2]; short none; struct path pa; struct list_head *lh; const char *str; float fl;
};
BEGIN
{
	this->a = (struct all *)alloca(sizeof(struct all));
	this->a->p.y = 3; this->a->pp = (pt_t *)0x1234; this->a->ps[1].x = 4;
	this->a->name[0] = 'h'; this->a->name[1] = '\n'; this->a->v[2] = -1; this->a->u.i = 0x41;
	this->a->b1 = 7; this->a->b2 = -3; this->a->col = RED; this->a->fn = (void *)0xffff;
	this->a->u64 = -1; this->a->vp = (void *)1; this->a->anon = 6; this->a->inner.z = 9;
	this->a->bo = 1; this->a->uc = 200; this->a->sc = -2; this->a->ppp = (void *)2; this->a->m[1][0] = 8;
	this->a->str = (char *)3; this->a->pa.mnt = (void *)4;
	print(this->a);
	print(&this->a->p); print(&this->a->ps[1]); print(&this->a->v); print(&this->a->col); print(&this->a->name[0]);
	print(&this->a->u); print(&this->a->pp); print(&this->a->inner); print(&this->a->bo);
	print((struct path *)this->a);
	exit(0);
}
