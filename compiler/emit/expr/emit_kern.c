/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_kern.c - subroutines that read kernel objects: locks, parents, saved
 * registers, paths.  Offsets are those of the running kernel; members it does not
 * have read as zero.
 */
#include <dtx/arch.h>

#include "compiler/emit/gen.h"

static val kernel_word(struct emit *e, val addr, u32 off, u32 bytes)
{
	struct place at = { MEM_KERNEL, addr, off };
	const struct type *t = bytes == 2 ? &ty_ushort : bytes == 4 ? &ty_uint : &ty_ulong;

	return emit_load(e, &at, t);
}

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

val emit_mutex(struct emit *e, const struct node *n)
{
	const char *what = n->row->name + 6;
	val lock = emit_expr(e, n->list), owner;
	u32 off;

	if (!strcmp(what, "type_adaptive"))
		return ll_num(e, 1);
	if (!strcmp(what, "type_spin") || !member_of_kernel(e->c, "mutex", "owner", &off, NULL))
		return ll_num(e, 0);
	owner = and(e, kernel_word(e, lock, off, 8), ~(u64)MUTEX_FLAGS);
	if (!strcmp(what, "owner"))
		return owner;
	return ll_ext(e, LLVMBuildICmp(e->b, LLVMIntEQ, owner,
				       ll_ext(e, ll_call(e, "dtx_task", ), false), ""), false);
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

static val rw_sem(struct emit *e, const char *what, val lock)
{
	u32 off;
	val count = member_of_kernel(e->c, "rw_semaphore", "count", &off, NULL) ?
		    kernel_word(e, lock, off, 8) : ll_num(e, 0);

	if (!strcmp(what, "read_held"))
		return bit(e, LLVMIntNE, and(e, count, RWSEM_READERS), 0);
	return and(e, count, RWSEM_WRITER);
}

val emit_rw(struct emit *e, const struct node *n)
{
	const char *what = n->row->name + 3;
	val lock = emit_expr(e, n->list), cnts;

	if (!strcmp(tag_behind(n->list), "rw_semaphore"))
		return rw_sem(e, what, lock);
	cnts = kernel_word(e, lock, 0, 4);
	if (!strcmp(what, "read_held"))
		return bit(e, LLVMIntNE, LLVMBuildLShr(e->b, cnts, ll_num(e, QRW_READERS), ""), 0);
	if (!strcmp(what, "iswriter"))
		return bit(e, LLVMIntNE, and(e, cnts, QRW_WRITERS), 0);
	return bit(e, LLVMIntEQ, and(e, cnts, QRW_LOCKED), QRW_LOCKED);
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

/* One that is not saved when the kernel is entered: what the thread keeps of it, or 0. */
static val kept_reg(struct emit *e, u64 i)
{
	static const char *const members[] = ARCH_UREGS_KEPT;
	u32 thread, off, size;

	if (i >= ARRAY_SIZE(members) ||
	    !member_of_kernel(e->c, "task_struct", "thread", &thread, NULL) ||
	    !member_of_kernel(e->c, "thread_struct", members[i], &off, &size))
		return ll_num(e, 0);
	return kernel_word(e, ll_ext(e, ll_call(e, "dtx_task", ), false), thread + off, size);
}

/* The registers of user mode lie at the end of the kernel stack. */
val emit_user_reg(struct emit *e, u64 i)
{
	struct type *regs = scope_kernel_type(e->c, T_STRUCT, "pt_regs");
	u32 stack, size, pad;
	val base;

	if (!regs || !member_of_kernel(e->c, "task_struct", "stack", &stack, NULL))
		return ll_num(e, 0);
	size = type_size(e->c, regs);
	pad = scope_kernel_type(e->c, T_STRUCT, ARCH_PAD_TYPE) ? ARCH_PAD_BYTES : 0;
	if (i >= size / 8)
		return kept_reg(e, i - size / 8);
	base = kernel_word(e, ll_ext(e, ll_call(e, "dtx_task", ), false), stack, 8);
	return kernel_word(e, base, ARCH_KERNEL_STACK - pad - size + 8 * i, 8);
}

val emit_uregs(struct emit *e, const struct node *n)
{
	if (8 * n->b->value == ARCH_REG_SYSNR)     /* R_ERR: the value there is not an error */
		return ll_num(e, -1);
	return emit_user_reg(e, n->b->value);
}

/* include/linux/preempt.h: soft interrupts in bits 8 to 15, hard ones and NMIs above. */
#define PREEMPT_INTERRUPTS  0xffff00

/* The count is per CPU; 0 if it is not in kallsyms. */
val emit_ipl(struct emit *e, const struct node *n)
{
	u32 off = 0;
	bool hot = member_of_kernel(e->c, "pcpu_hot", "preempt_count", &off, NULL);
	u64 count = env_ksym(e->c->env, "", hot ? "pcpu_hot" : "__preempt_count");
	u64 bases = env_ksym(e->c->env, "", "__per_cpu_offset");
	val cpu, base;

	if (!count || !bases)
		return ll_num(e, 0);
	count += off;
	cpu = ll_ext(e, ll_call(e, "dtx_cpu", e->frame), false);
	cpu = LLVMBuildShl(e->b, cpu, ll_num(e, 3), "");
	base = kernel_word(e, LLVMBuildAdd(e->b, cpu, ll_num(e, bases), ""), 0, 8);
	base = LLVMBuildAdd(e->b, base, ll_num(e, count), "");
	return bit(e, LLVMIntNE, and(e, kernel_word(e, base, 0, 4), PREEMPT_INTERRUPTS), 0);
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

/* struct path of the current task's cwd or root, or the given one. */
struct str emit_sub_path(struct emit *e, const struct node *n)
{
	struct plan *p = e->c->plan;
	u32 mnt = emit_koff(e, "path", "mnt"), dentry = emit_koff(e, "path", "dentry");
	val addr, m, d;

	path_offsets(e);
	if (n->list) {
		addr = emit_expr(e, n->list);
	} else {
		addr = kernel_word(e, ll_ext(e, ll_call(e, "dtx_task", ), false),
				   emit_koff(e, "task_struct", "fs"), 8);
		addr = LLVMBuildAdd(e->b, addr, ll_num(e, emit_koff(e, "fs_struct",
				*n->row->name == 'c' ? "pwd" : "root")), "");
	}
	m = kernel_word(e, addr, mnt, 8);
	d = kernel_word(e, addr, dentry, 8);
	ll_call(e, "dtx_g_path", emit_level(e), m, d,
		ll_num(e, p->str_off + (n->place - 1) * p->str_slot));
	return (struct str){ STR_OWN, emit_str_room(e, n), p->strsize + 1, n, NULL, NULL };
}
