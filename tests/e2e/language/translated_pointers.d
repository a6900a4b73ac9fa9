// SPDX-License-Identifier: BSD-2-Clause
// A translated pointer may be assigned, cast to its own type, passed to an inline and translated again; its variable may be
// tested and set to NULL.
// truth: translated pointers in variables | members of curpsinfo by this->, self-> and global variables | pid, ppid, execname
#pragma D option quiet
inline int number[psinfo_t *p] = p->pr_pid;
struct mine { int n; };
translator struct mine < psinfo_t *p > { n = p->pr_pid; };
BEGIN { this->p = curpsinfo; self->q = (psinfo_t *)curpsinfo; g = self->q; }
BEGIN { printf("%d %d %d %d\n", this->p->pr_pid == pid, self->q->pr_ppid == ppid, g->pr_pid == $pid, this->p->pr_fname == execname); }
BEGIN { printf("%d %d %d\n", (xlate <struct mine>(this->p)).n == pid, ((psinfo_t *)g)->pr_pid == pid, number[self->q] == pid); }
BEGIN /self->q/ { self->q = NULL; printf("was set\n"); }
BEGIN /self->q/ { printf("never\n"); }
BEGIN /!self->q && self->q == NULL && this->p != NULL && this->p/ { printf("is not\n"); exit(0); }
