/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing outside of what the clause got from alloca() is read or written. */
#pragma D option quiet
BEGIN { this->i = (int *)alloca(16); this->i[4] = 1; printf("no\n"); }
BEGIN { this->i = (int *)alloca(16); this->n = 4; printf("%d\n", this->i[this->n]); }
BEGIN { this->i = (int *)alloca(16); this->i[-1] = 3; printf("no\n"); }
BEGIN { this->c = (char *)alloca(8); bcopy("hello world", this->c, 12); printf("no\n"); }
BEGIN { this->p = (int *)alloca(8); self->p = this->p; *self->p = 1; }
BEGIN { this->i = (int *)alloca(8); this->i[-2000] = 1; printf("no\n"); }
BEGIN { this->n = 200; this->a = alloca(this->n); this->b = alloca(this->n); printf("no\n"); }
BEGIN { this->n = 257; this->a = copyin(0, this->n); printf("no\n"); }
BEGIN { this->n = 8; this->a = copyin(0, this->n); printf("no\n"); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }
