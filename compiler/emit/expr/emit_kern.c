/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_kern.c - subroutines that read kernel objects: locks, parents, saved
 * registers, paths.  Offsets are those of the running kernel; members it does not
 * have read as zero.
 */
#include <dtx/arch.h>

#include "compiler/emit/expr/rows.h"

static val bit(struct emit *e, LLVMIntPredicate p, val a, u64 b)
{
	return ll_ext(e, LLVMBuildICmp(e->b, p, a, ll_num(e, b), ""), false);
}

static val and(struct emit *e, val a, u64 b)
{
	return LLVMBuildAnd(e->b, a, ll_num(e, b), "");
}

/* ---- locks ------------------------------------------------------------------------------ */

#define MUTEX_FLAGS    7         /* include/linux/mutex.h: low bits of the owner */

/* The task that holds it: i64.  NULL: this kernel does not say. */
static val mutex_task(struct emit *e, const struct node *n)
{
	val lock = emit_expr(e, n->list);
	u32 off;

	if (!member_of_kernel(e->c, "mutex", "owner", &off, NULL))
		return NULL;
	return and(e, emit_kernel_word(e, lock, off, 8), ~(u64)MUTEX_FLAGS);
}

val emit_mutex_owner(struct emit *e, const struct node *n)
{
	val owner = mutex_task(e, n);

	return owner ? owner : ll_num(e, 0);
}

val emit_mutex_owned(struct emit *e, const struct node *n)
{
	val owner = mutex_task(e, n), task;

	if (!owner)
		return ll_num(e, 0);
	task = ll_ext(e, ll_call(e, "dtx_task", ), false);
	return ll_ext(e, LLVMBuildICmp(e->b, LLVMIntEQ, owner, task, ""), false);
}

/* All mutexes of Linux are adaptive. */
val emit_mutex_adaptive(struct emit *e, const struct node *n)
{
	emit_expr(e, n->list);
	return ll_num(e, 1);
}

val emit_mutex_spin(struct emit *e, const struct node *n)
{
	emit_expr(e, n->list);
	return ll_num(e, 0);
}

static const char *tag_behind(const struct node *n)
{
	struct type *t = type_base(n->type);

	t = t && t->kind == T_PTR ? type_base(t->to) : NULL;
	return t && t->name ? t->name : "";
}

/* include/asm-generic/qrwlock.h: writer in the low byte, then waiting, then readers. */
#define QRW_LOCKED   0xff
#define QRW_WRITERS  0x1ff
#define QRW_READERS  9
/* kernel/locking/rwsem.c: writer in bit 0, readers from bit 8 on. */
#define RWSEM_WRITER   1
#define RWSEM_READERS  0x7fffffffffffff00ull

static bool is_sem(const struct node *lock)
{
	return !strcmp(tag_behind(lock), "rw_semaphore");
}

/* The word of either kind of lock that says who has it. */
static val rw_word(struct emit *e, const struct node *n)
{
	val lock = emit_expr(e, n->list);
	u32 off;

	if (!is_sem(n->list))
		return emit_kernel_word(e, lock, 0, 4);
	return member_of_kernel(e->c, "rw_semaphore", "count", &off, NULL) ?
	       emit_kernel_word(e, lock, off, 8) : ll_num(e, 0);
}

val emit_rw_read(struct emit *e, const struct node *n)
{
	val word = rw_word(e, n);

	if (is_sem(n->list))
		return bit(e, LLVMIntNE, and(e, word, RWSEM_READERS), 0);
	return bit(e, LLVMIntNE, LLVMBuildLShr(e->b, word, ll_num(e, QRW_READERS), ""), 0);
}

val emit_rw_writer(struct emit *e, const struct node *n)
{
	val word = rw_word(e, n);

	return is_sem(n->list) ? and(e, word, RWSEM_WRITER) :
	       bit(e, LLVMIntNE, and(e, word, QRW_WRITERS), 0);
}

val emit_rw_write(struct emit *e, const struct node *n)
{
	val word = rw_word(e, n);

	return is_sem(n->list) ? and(e, word, RWSEM_WRITER) :
	       bit(e, LLVMIntEQ, and(e, word, QRW_LOCKED), QRW_LOCKED);
}

/* ---- tasks -------------------------------------------------------------------------------- */

val emit_progenyof(struct emit *e, const struct node *n)
{
	val pid = emit_expr(e, n->list);
	u32 parent, tgid;

	if (!member_of_kernel(e->c, "task_struct", "real_parent", &parent, NULL) ||
	    !member_of_kernel(e->c, "task_struct", "tgid", &tgid, NULL))
		return ll_num(e, 0);
	return ll_call(e, "dtx_g_progeny", ll_call(e, "dtx_task", ),
		       ll_num(e, parent | (u64)tgid << 32), pid);
}

val emit_number(struct emit *e, const struct node *n)
{
	val task = emit_as_number(e, emit_expr(e, n->list));

	emit_task_offsets(e);
	return ll_call(e, "dtx_g_number", task, emit_expr(e, n->list->next));
}

val emit_uregs(struct emit *e, const struct node *n)
{
	if (8 * n->b->value == ARCH_REG_SYSNR)     /* R_ERR: the value there is not an error */
		return ll_num(e, -1);
	return emit_user_reg(e, n->b->value);
}

/* include/linux/preempt.h: soft interrupts in bits 8 to 15, hard ones and NMIs above. */
#define PREEMPT_INTERRUPTS  0xffff00

/* A symbol of the kernel that the checker has noted (note_preempt_count()). */
static bool noted_symbol(struct emit *e, const char *name, val *addr)
{
	const struct img *img = e->c->img;

	for (u32 i = 0; i < img->nksyms; i++) {
		if (img->ksyms[i].module || strcmp(img->ksyms[i].name, name))
			continue;
		*addr = emit_ksym(e, i);
		return true;
	}
	return false;
}

/* The count is per CPU; 0 if it is not in kallsyms. */
val emit_ipl(struct emit *e, const struct node *n)
{
	u32 off = 0;
	bool hot = member_of_kernel(e->c, "pcpu_hot", "preempt_count", &off, NULL);
	val count, bases, cpu, base;

	if (!noted_symbol(e, hot ? "pcpu_hot" : "__preempt_count", &count) ||
	    !noted_symbol(e, "__per_cpu_offset", &bases))
		return ll_num(e, 0);
	cpu = ll_ext(e, ll_call(e, "dtx_cpu", e->f.frame), false);
	cpu = LLVMBuildShl(e->b, cpu, ll_num(e, 3), "");
	base = emit_kernel_word(e, LLVMBuildAdd(e->b, cpu, bases, ""), 0, 8);
	base = LLVMBuildAdd(e->b, base, LLVMBuildAdd(e->b, count, ll_num(e, off), ""), "");
	return bit(e, LLVMIntNE, and(e, emit_kernel_word(e, base, 0, 4), PREEMPT_INTERRUPTS), 0);
}

/* ---- paths ---------------------------------------------------------------------------------- */

/* The offsets that bpf/text/path.bpf.c needs, once per module. */
static void path_offsets(struct emit *e)
{
	u32 qstr = emit_koff(e, "dentry", "d_name"), mnt = emit_koff(e, "mount", "mnt");
	u64 off[] = {
		emit_koff(e, "dentry", "d_parent"), qstr + emit_koff(e, "qstr", "name"),
		qstr + emit_koff(e, "qstr", "len"), mnt, emit_koff(e, "mount", "mnt_parent"),
		emit_koff(e, "mount", "mnt_mountpoint"), mnt + emit_koff(e, "vfsmount", "mnt_root"),
		emit_koff(e, "dentry", "d_sb"), emit_koff(e, "super_block", "s_type"),
		emit_koff(e, "file_system_type", "name"), emit_koff(e, "dentry", "d_inode"),
		emit_koff(e, "inode", "i_ino"),
	};

	_Static_assert(sizeof(off) == sizeof(struct dtx_koff), "offsets of a path");
	ll_constants(e, "dtx_koff", off, ARRAY_SIZE(off));
}

/* The text of the struct path at addr. */
static struct str path_text(struct emit *e, const struct node *n, val addr)
{
	struct plan *p = e->c->plan;
	val m = emit_kernel_word(e, addr, emit_koff(e, "path", "mnt"), 8);
	val d = emit_kernel_word(e, addr, emit_koff(e, "path", "dentry"), 8);

	ll_call(e, "dtx_g_path", emit_level(e), m, d,
		ll_num(e, p->str_off + (n->place - 1) * p->str_slot));
	return (struct str){ STR_OWN, emit_str_room(e, n), p->strsize + 1, n, NULL, NULL };
}

/* That of the current task: a member of its struct fs_struct. */
static struct str task_path(struct emit *e, const struct node *n, const char *member)
{
	val fs;

	path_offsets(e);
	fs = emit_kernel_word(e, ll_ext(e, ll_call(e, "dtx_task", ), false),
			 emit_koff(e, "task_struct", "fs"), 8);
	return path_text(e, n, LLVMBuildAdd(e->b, fs, ll_num(e, emit_koff(e, "fs_struct", member)),
					    ""));
}

struct str emit_cwd(struct emit *e, const struct node *n)
{
	return task_path(e, n, "pwd");
}

struct str emit_root(struct emit *e, const struct node *n)
{
	return task_path(e, n, "root");
}

struct str emit_d_path(struct emit *e, const struct node *n)
{
	path_offsets(e);
	return path_text(e, n, emit_expr(e, n->list));
}
