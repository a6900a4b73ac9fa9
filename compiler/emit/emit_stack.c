/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_stack.c - stack(), ustack(), pystack(), their depth and their callers: calls of
 * bpf/stack.bpf.c, the maps that it uses, and the offsets in kernel objects by which it finds the
 * files of a process.
 */
#include <linux/bpf.h>

#include <dtx/arch.h>
#include <dtx/base.h>
#include <dtx/feat.h>
#include <dtx/progkind.h>
#include <dtx/opt.h>
#include <dtx/stack.h>
#include <dtx/python.h>
#include <dtx/tables/maprole.h>

#include "compiler/emit/expr/rows.h"

#define STACK_USER  256          /* BPF_F_USER_STACK */
#define UPID_SIZE   16           /* struct upid: int, pointer */

/*
 * Frames of the tracing machinery above the traced code: those of the program's kind, and the
 * subprograms of large programs.  Interrupts and breakpoints begin a stack of their own: nothing
 * to skip.
 */
static u32 stack_skip(const struct emit *e)
{
	u32 skip = progkinds[e->p.prog->kind].skip;

	return skip ? skip + ARCH_CALLER_TWICE + !e->p.inlined + e->p.in_error : 0;
}

/* BEGIN, END and tick have no place in the kernel: the kernel stack would show dtx's own
 * call. */
static bool stack_none(const struct emit *e)
{
	return kind_is(e->p.prog->kind, KIND_ONCE);
}

/* Does the program run only at entries and at the ends of user functions?  There the return address
 * is on top of the stack. */
static bool at_user_entry(const struct emit *e)
{
	if (!kind_is_user(e->p.prog->kind, false) || e->p.in_error)
		return false;
	for (u32 i = 0; i < e->p.prog->nprobes; i++)
		if (!probe_at_call(e->p.prog->probes[i]))
			return false;
	return true;
}

val emit_call_frame(struct emit *e)
{
	bool popped = kind_is_user(e->p.prog->kind, true);       /* by the kernel's return probe */
	val sp;

	if (!kind_is(e->p.prog->kind, KIND_USER) || e->p.in_error)
		return ll_num(e, 0);
	sp = emit_ctx(e, ARCH_REG_SP, 8, false);
	return popped ? sp : LLVMBuildAdd(e->b, sp, ll_num(e, ARCH_ENTRY_CFA), "");
}

/* ---- built-ins ------------------------------------------------------------------------------- */

/* The state of a walk, in the scratch slot. */
static val state(struct emit *e)
{
	e->p.uses |= USES_CTX;
	return emit_scratch(e, e->c->plan->walk_off);
}

/* Where the kernel keeps return addresses that it has replaced: the member of struct task_struct,
 * and from a link of its list to the address. */
static void find_returns(struct emit *e, val *trampoline, u64 *list, u64 *address)
{
	const struct kreturns *r = e->c->plan->kreturns;
	u32 first, link, ret;

	if (!r || !member_of_kernel(e->c, "task_struct", r->list, &first, NULL) ||
	    !member_of_kernel(e->c, r->type, "llist", &link, NULL) ||
	    !member_of_kernel(e->c, r->type, "ret_addr", &ret, NULL))
		return;
	*trampoline = emit_ksym(e, e->c->plan->ktrampoline);
	*list = first;
	*address = (u64)ret - link;
}

/* For the walk along the kernel's stack: what ends it too early. */
static void find_ends(struct emit *e, val walk)
{
	const struct kends *k = &e->c->plan->kends;

	if (k->size)
		ll_call(e, "dtx_kends", walk, emit_ksym(e, k->trampoline), ll_num(e, k->size),
			k->in_task ? ll_num(e, 0) : emit_ksym(e, k->table));
}

static val symbol_or_0(struct emit *e, u32 place)
{
	return place ? emit_ksym(e, place - 1) : ll_num(e, 0);
}

static void find_made(struct emit *e, val walk)
{
	const struct made *m = &e->c->plan->made;
	u32 text = kernel_text_of(e->c);

	ll_call(e, "dtx_made", walk, symbol_or_0(e, m->tree), symbol_or_0(e, m->entry),
		symbol_or_0(e, m->entry_regs), symbol_or_0(e, text),
		ll_num(e, text ? kernel_text_size(e->c) : 0));
}

static val tracepoint_flags(struct emit *e, val walk)
{
	val size, at = emit_probe_traceiter(e, &size);

	ll_call(e, "dtx_traceiter", walk, at, size);
	return ll_num(e, stack_skip(e) | DTX_KWALK_TRACER);
}

/* What the walk along the kernel's stack leaves out, and DTX_KWALK_…. */
static val walk_flags(struct emit *e, val walk)
{
	val trampoline = ll_num(e, 0), flags;
	u64 list = 0, address = 0;

	find_ends(e, walk);
	find_made(e, walk);
	if (kind_is(e->p.prog->kind, KIND_TRACEPOINT))
		return tracepoint_flags(e, walk);
	if (!kind_is(e->p.prog->kind, KIND_KERNEL))
		return ll_num(e, stack_skip(e));
	flags = emit_probe_walk(e);
	if (LLVMIsAConstantInt(flags) && !LLVMConstIntGetZExtValue(flags))
		return flags;
	find_returns(e, &trampoline, &list, &address);
	ll_call(e, "dtx_entry_caller", ll_load_ptr(e, emit_m(e, ctx)), walk, trampoline,
		ll_num(e, list), ll_num(e, address));
	return flags;
}

static val pid(struct emit *e)
{
	return ll_ext(e, ll_call(e, "dtx_pid", e->f.frame), false);
}

/* The number of the process in the lower half, and which program it runs in the upper one. */
val emit_process(struct emit *e)
{
	return ll_call(e, "dtx_process", e->f.frame, ll_num(e, emit_koff(e, "task_struct", "mm")),
		       ll_num(e, emit_koff(e, "mm_struct", "start_stack")));
}

static val options(struct emit *e, u32 more)
{
	val past = LLVMBuildShl(e->b, emit_probe_past(e), ll_num(e, DTX_WALK_PAST), "");

	return LLVMBuildOr(e->b, past, ll_num(e, (at_user_entry(e) ? DTX_WALK_ENTRY : 0) | more),
			   "");
}

static u64 deepest(const struct emit *e)
{
	return MIN((u64)opt_num(e->c->env, OPT_maxframes), (u64)DTX_STACK_MAX);
}

/* After a call that has found what it wants, or the walk has ended before it. */
static void check_end(struct emit *e)
{
	if (e->c->plan->kends.size || e->c->plan->made.blind)
		emit_check_fault(e);
}

val emit_stackdepth(struct emit *e, const struct node *n)
{
	val walk, level, depth;

	if (stack_none(e))
		return ll_num(e, 0);
	walk = state(e);
	level = emit_level(e);
	depth = ll_call(e, "dtx_kdepth", e->f.frame, walk, level, ll_num(e, deepest(e)),
			walk_flags(e, walk));
	check_end(e);
	return depth;
}

val emit_ustackdepth(struct emit *e, const struct node *n)
{
	if (e->c->plan->walk < WALK_FILES)
		return ll_call(e, "dtx_depth", e->f.frame, state(e), ll_num(e, deepest(e)),
			       ll_num(e, STACK_USER));
	return ll_call(e, "dtx_udepth", e->f.frame, state(e), emit_level(e), ll_num(e, deepest(e)),
		       pid(e), options(e, 0));
}

val emit_caller(struct emit *e, const struct node *n)
{
	val walk, caller;

	if (stack_none(e))
		return ll_num(e, 0);
	walk = state(e);
	caller = ll_call(e, "dtx_caller", e->f.frame, walk, emit_level(e), walk_flags(e, walk));
	check_end(e);
	return caller;
}

/* After a return, the program counter is in the caller. */
val emit_ucaller(struct emit *e, const struct node *n)
{
	if (at_user_entry(e))
		return ll_call(e, "dtx_return_address", ll_load_ptr(e, emit_m(e, ctx)));
	if (kind_is_user(e->p.prog->kind, true) && !e->p.in_error)
		return emit_ctx(e, ARCH_REG_IP, 8, false);
	e->p.uses |= USES_CTX;
	if (e->c->plan->walk < WALK_FILES)
		return ll_call(e, "dtx_frame2", e->f.frame, ll_num(e, STACK_USER));
	return ll_call(e, "dtx_ucaller2", e->f.frame, state(e), emit_level(e), ll_num(e, 2), pid(e),
		       options(e, 0));
}

static val kernel_stack(struct emit *e, val map, val max)
{
	val walk = state(e), level = emit_level(e);

	return ll_call(e, "dtx_kstack", e->f.frame, walk, level, map, max, walk_flags(e, walk));
}

void emit_stack(struct emit *e, const struct node *n, val to)
{
	struct type *t = type_base(n->type);
	val map = emit_map(e, arena_printf(e->c->arena, "dtx_stack_%u", t->count)), id;
	val max = ll_num(e, t->count);

	if (type_is_python(t))
		id = ll_call(e, "dtx_pystack", e->f.frame, state(e), emit_level(e), map, max,
			     pid(e));
	else if (!t->is_user && stack_none(e))
		id = ll_num(e, 0);
	else if (!t->is_user)
		id = kernel_stack(e, map, max);
	else if (e->c->plan->walk < WALK_FILES)
		id = ll_call(e, "dtx_ustack_plain", e->f.frame, state(e), emit_level(e), map, max,
			     emit_process(e));
	else
		id = ll_call(e, "dtx_ustack", e->f.frame, state(e), emit_level(e), map, max, pid(e),
			     options(e, n->by_option ? DTX_WALK_WHOLE : 0));
	ll_store(e, id, ll_off(e, to, offsetof(struct dtx_stackref, id)), 8);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static void add_map(struct emit *e, u32 role, u32 entries)
{
	struct img_map *m = emit_new_map(e, role);

	m->max_entries = entries;
	if (m->type == BPF_MAP_TYPE_HASH && env_has(e->c->env, FEAT_HASH_ALLOC))
		m->flags = BPF_F_NO_PREALLOC;
}

static void python_maps(struct emit *e)
{
	add_map(e, ROLE_pyexes, DTX_PY_EXES_MAX);
	add_map(e, ROLE_pyprocs, DTX_PY_PROCS_MAX);
	add_map(e, ROLE_pyoffs, DTX_PY_OFFS_MAX);
	add_map(e, ROLE_pysites, DTX_PY_SITES_MAX);
	add_map(e, ROLE_pyfuncs, DTX_PY_FUNCS_MAX);
}

void emit_stack_maps(struct emit *e)
{
	if (e->c->plan->python)
		python_maps(e);
	if (e->c->plan->walk >= WALK_FILES || e->c->plan->python)
		add_map(e, ROLE_sights, DTX_SIGHTS_BYTES);
	if (e->c->plan->walk < WALK_FILES)
		return;
	add_map(e, ROLE_objects, DTX_OBJECTS_MAX);
	add_map(e, ROLE_numbers, DTX_OBJECTS_MAX);
	add_map(e, ROLE_ends, 1);
	add_map(e, ROLE_jvms, DTX_JVMS_MAX);
	add_map(e, ROLE_jits, DTX_JITS_MAX);
	add_map(e, ROLE_asked, DTX_ASKED_MAX);
	add_map(e, ROLE_tables, DTX_TABLES_MAX);
}

/* ---- offsets --------------------------------------------------------------------------------- */

/* tag->first.second, 0: this kernel has no such members. */
static u64 inner(struct emit *e, const char *tag, const char *first, const char *type,
		 const char *second)
{
	u32 a, b;

	return member_of_kernel(e->c, tag, first, &a, NULL) &&
	       member_of_kernel(e->c, type, second, &b, NULL) ? a + b : 0;
}

/* The time of the last change of a file: three names, by the version of the kernel. */
static void file_time(struct emit *e, struct dtx_walkoff *o)
{
	u32 off;

	o->i_sec = emit_koff(e, "inode", "i_mtime_sec");
	o->i_nsec = emit_koff(e, "inode", "i_mtime_nsec");
	if (o->i_sec || (!member_of_kernel(e->c, "inode", "__i_mtime", &off, NULL) &&
			 !member_of_kernel(e->c, "inode", "i_mtime", &off, NULL)))
		return;
	o->i_sec = off + emit_koff(e, "timespec64", "tv_sec");
	o->i_nsec = off + emit_koff(e, "timespec64", "tv_nsec");
}

static u64 kernel_size(struct emit *e, const char *tag)
{
	struct type *t = scope_kernel_type(e->c, T_STRUCT, tag);

	return t ? type_size(e->c, t) : 0;
}

static void walk_constants(struct emit *e)
{
	u64 path = emit_koff(e, "file", "f_path"), name = emit_koff(e, "dentry", "d_name");
	u64 mnt = emit_koff(e, "mount", "mnt");
	struct dtx_walkoff o = {
		.mm = emit_koff(e, "task_struct", "mm"),
		.stack = emit_koff(e, "task_struct", "stack"),
		.flags = emit_koff(e, "task_struct", "flags"),
		.utask = emit_koff(e, "task_struct", "utask"),
		.regs = emit_user_regs(e),
		.page = emit_page(e),
		.tree = inner(e, "mm_struct", "mm_mt", "maple_tree", "ma_root"),
		.rbtree = inner(e, "mm_struct", "mm_rb", "rb_root", "rb_node"),
		.vdso = emit_koff(e, "mm_struct", "context") + emit_koff(e, "mm_context_t", "vdso"),
		.mm_seq = emit_koff(e, "mm_struct", "mm_lock_seq"),
		.mm_start = emit_koff(e, "mm_struct", "start_stack"),
		.vm_start = emit_koff(e, "vm_area_struct", "vm_start"),
		.vm_end = emit_koff(e, "vm_area_struct", "vm_end"),
		.vm_flags = emit_koff(e, "vm_area_struct", "vm_flags"),
		.vm_pgoff = emit_koff(e, "vm_area_struct", "vm_pgoff"),
		.vm_file = emit_koff(e, "vm_area_struct", "vm_file"),
		.vm_rb = emit_koff(e, "vm_area_struct", "vm_rb"),
		.f_inode = emit_koff(e, "file", "f_inode"),
		.f_mnt = path + emit_koff(e, "path", "mnt"),
		.f_dentry = path + emit_koff(e, "path", "dentry"),
		.f_mode = emit_koff(e, "file", "f_mode"),
		.user_mnt = inner(e, "backing_file", "user_path", "path", "mnt"),
		.user_dentry = inner(e, "backing_file", "user_path", "path", "dentry"),
		.d_inode = emit_koff(e, "dentry", "d_inode"),
		.i_sb = emit_koff(e, "inode", "i_sb"),
		.i_ino = emit_koff(e, "inode", "i_ino"),
		.i_size = emit_koff(e, "inode", "i_size"),
		.s_dev = emit_koff(e, "super_block", "s_dev"),
		.d_parent = emit_koff(e, "dentry", "d_parent"),
		.d_name = name + emit_koff(e, "qstr", "name"),
		.d_name_len = name + emit_koff(e, "qstr", "len"),
		.mnt = mnt,
		.mnt_parent = emit_koff(e, "mount", "mnt_parent"),
		.mnt_mountpoint = emit_koff(e, "mount", "mnt_mountpoint"),
		.mnt_root = mnt + emit_koff(e, "vfsmount", "mnt_root"),
		.returns = emit_koff(e, "uprobe_task", "return_instances"),
		.ri_stack = emit_koff(e, "return_instance", "stack"),
		.ri_address = emit_koff(e, "return_instance", "orig_ret_vaddr"),
		.ri_next = emit_koff(e, "return_instance", "next"),
	};

	file_time(e, &o);
	ll_constants(e, "dtx_walkoff", (const u64 *)&o, sizeof(o) / sizeof(u64));
}

static void python_constants(struct emit *e)
{
	struct dtx_pykoff o = {
		.mm = emit_koff(e, "task_struct", "mm"),
		.thread_pid = emit_koff(e, "task_struct", "thread_pid"),
		.tgid = emit_koff(e, "task_struct", "tgid"),
		.parent = emit_koff(e, "task_struct", "real_parent"),
		.group_leader = emit_koff(e, "task_struct", "group_leader"),
		.exe_file = emit_koff(e, "mm_struct", "exe_file"),
		.start_code = emit_koff(e, "mm_struct", "start_code"),
		.start_stack = emit_koff(e, "mm_struct", "start_stack"),
		.level = emit_koff(e, "pid", "level"),
		.numbers = emit_koff(e, "pid", "numbers") + emit_koff(e, "upid", "nr"),
		.upid_size = UPID_SIZE,
	};

	ll_constants(e, "dtx_pykoff", (const u64 *)&o, sizeof(o) / sizeof(u64));
}

static void kends_constants(struct emit *e)
{
	const struct kends *k = &e->c->plan->kends;
	struct dtx_kendoff o = { .list = k->list, .task = k->task, .address = k->address };

	ll_constants(e, "dtx_kendoff", (const u64 *)&o, sizeof(o) / sizeof(u64));
}

static void made_constants(struct emit *e)
{
	struct dtx_symoff o = {
		.trees = emit_koff(e, "latch_tree_root", "tree"),
		.tree_size = kernel_size(e, "rb_root"),
		.node = emit_koff(e, "bpf_ksym", "tnode") + emit_koff(e, "latch_tree_node", "node"),
		.node_size = kernel_size(e, "rb_node"),
		.left = emit_koff(e, "rb_node", "rb_left"),
		.right = emit_koff(e, "rb_node", "rb_right"),
		.start = emit_koff(e, "bpf_ksym", "start"),
		.end = emit_koff(e, "bpf_ksym", "end"),
		.name = emit_koff(e, "bpf_ksym", "name"),
	};

	ll_constants(e, "dtx_symoff", (const u64 *)&o, sizeof(o) / sizeof(u64));
}

/* Looking up the offsets reads the kernel's types: only for programs that walk. */
void emit_stack_constants(struct emit *e)
{
	if (e->c->plan->walk >= WALK_FILES || e->c->plan->python)
		walk_constants(e);
	if (e->c->plan->python)
		python_constants(e);
	if (e->c->plan->kends.size)
		kends_constants(e);
	if (e->c->plan->made.wanted)
		made_constants(e);
}
