/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_port.c - rewrites functions of bpftrace in D.
 *
 * A call of a BL_REWRITE row is replaced by the tree of the equivalent D code, and that is
 * checked like code of the program.  Most depend on the types of their arguments, which an
 * inline of compiler/lib/linux.d cannot.
 *
 * To add one: its row in foreign.def, a function here and its row at the end.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <dtx/arch.h>
#include <dtx/progkind.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/check/rows.h"
#include "compiler/front/builtin.h"

/* ---- trees ------------------------------------------------------------------------ */

static struct node *port_name(struct comp *c, const struct node *at, const char *name)
{
	struct node *n = check_make(c, N_IDENT, at, NULL);

	n->scope = SCOPE_PLAIN;
	n->name = name;
	return n;
}

/* The arguments are used as they are: checked or not. */
static struct node *port_call(struct comp *c, const struct node *at, const char *name,
			      struct node *list)
{
	struct node *n = check_make(c, N_CALL, at, NULL);

	n->name = name;
	n->list = list;
	return check_expr(c, n);
}

static struct node *port_text(struct comp *c, const struct node *at, const char *text)
{
	struct node *n = check_make(c, N_STR, at, NULL);

	n->str = text;
	n->len = strlen(text);
	return n;
}

static struct node *port_first(struct comp *c, struct node *n)
{
	struct node *arg = n->list;

	n->list = arg->next;
	arg->next = NULL;
	return check_expr(c, arg);
}

static const char *port_word(const struct node *n)
{
	return n && n->kind == N_IDENT && n->scope == SCOPE_PLAIN ? n->name : NULL;
}

static struct node *port_needs_literal(struct comp *c, const struct node *n, const char *what)
{
	return ERR(c, D_PROTO_ARG, n->list->at, "%s() needs %s in quotes", n->name, what);
}

static struct node *port_member(struct comp *c, const struct node *at, const char *of,
				const char *name)
{
	struct node *n = check_make(c, N_MEMBER, at, NULL);

	n->op = OP_ARROW;
	n->name = name;
	n->a = port_name(c, at, of);
	return check_expr(c, n);
}

/* ---- variables with an argument ------------------------------------------------------ */

static struct node *port_nsecs(struct comp *c, struct node *n)
{
	static const struct { const char *mode; enum builtin_id id; } clocks[] = {
		{ "monotonic", BI_timestamp }, { "boot", BI___boottime },
		{ "tai", BI_walltimestamp }, { "sw_tai", BI_walltimestamp },
	};
	const char *mode = port_word(n->list);

	for (u32 i = 0; mode && i < ARRAY_SIZE(clocks); i++)
		if (!strcmp(clocks[i].mode, mode))
			return check_expr(c, port_name(c, n, builtin_row(clocks[i].id)->name));
	return ERR(c, D_PROTO_ARG, n->list->at,
		   "the clocks of nsecs() are monotonic, boot, tai and sw_tai");
}

/* pid(curr_ns) is D's pid: the number in the namespace of dtx; init: in the initial one; others: no
 * call. */
static struct node *port_pid(struct comp *c, struct node *n)
{
	const char *mode = port_word(n->list);

	if (mode && !strcmp(mode, "curr_ns"))
		return check_expr(c, port_name(c, n, n->name));
	if (mode && !strcmp(mode, "init"))
		return port_member(c, n, "curthread", *n->name == 'p' ? "tgid" : "pid");
	return NULL;
}

static bool port_on(const struct comp *c, const char *prov)
{
	return c->check->inst && c->check->inst->nprobes &&
	       !strcmp(c->check->inst->probes[0]->prov, prov);
}

/* Is user code running?  Yes in probes in programs; a sample has the program's address in arg1, or
 * 0. */
struct node *port_usermode(struct comp *c, struct node *n)
{
	struct node *cmp;
	bool user = c->check->inst && c->check->inst->nprobes && check_args_known(c) &&
		    c->check->inst->probes[0]->place.user_ctx;

	if (!port_on(c, "profile"))
		return check_int(c, n, user && !port_on(c, "syscall"), &ty_int);
	cmp = check_make(c, N_BINARY, n, NULL);
	cmp->op = OP_NE;
	cmp->a = port_name(c, n, "arg1");
	cmp->b = check_int(c, n, 0, &ty_int);
	return check_expr(c, cmp);
}

/* ---- registers ------------------------------------------------------------------------- */

static bool port_has_registers(const struct dtx_probe *p)
{
	return progkinds[p->prog.kind].context == KIND_CTX_REGS;
}

/* Machines that number their registers have an array of them there, at its begin; *off in bits. */
static bool port_numbered(const char *name, u32 *off)
{
	unsigned long n;
	char *end;

	if (!*name || !strchr(ARCH_REG_NUMBERED, *name) || name[1] < '0' || name[1] > '9')
		return false;
	n = strtoul(name + 1, &end, 10);
	*off = 64 * (u32)n;
	return !*end && n < ARCH_REG_NUMBERS;
}

/* A member of struct pt_regs, by any of its names. */
struct node *port_reg(struct comp *c, struct node *n)
{
	struct type *regs = scope_kernel_type(c, T_STRUCT, "pt_regs");
	const char *name = n->list->kind == N_STR ? n->list->str : NULL;
	const struct type_member *m;
	struct diag *d;
	u32 off = 0;

	if (!name)
		return port_needs_literal(c, n, "the name of a register");
	if (!c->check->inst || !c->check->inst->nprobes ||
	    !port_has_registers(c->check->inst->probes[0])) {
		d = diag_error(&c->env->diags, D_ARGS_NONE, n->at, "this probe has no registers");
		diag_hint(&c->env->diags, d, "uregs[" ARCH_UREGS_NAME "] and its kin are those the "
			  "program had when it entered the kernel");
		return NULL;
	}
	m = regs ? type_find_member(regs, name, &off) : NULL;
	if (!m && regs && *name == ARCH_REG_LETTER)
		m = type_find_member(regs, name + 1, &off);
	if (!m && !port_numbered(name, &off)) {
		d = diag_error(&c->env->diags, D_PROTO_ARG, n->list->at,
			       "there is no register '%s'", name);
		diag_hint(&c->env->diags, d, "they are " ARCH_REG_NAMES);
		return NULL;
	}
	return port_call(c, n, "__reg", check_int(c, n, off / 8, &ty_int));
}

/* ---- numbers, addresses --------------------------------------------------------------------- */

struct node *port_bswap(struct comp *c, struct node *n)
{
	struct node *arg = port_first(c, n);
	u64 size;

	if (!arg)
		return NULL;
	if (!type_is_int(arg->type))
		return ERR(c, D_PROTO_ARG, arg->at, "bswap() takes an integer, not '%s'",
			   TYPE_TEXT(c, arg->type));
	size = type_size(c, arg->type);
	return size == 1 ? arg :
	       port_call(c, n, size == 2 ? "htons" : size == 4 ? "htonl" : "htonll", arg);
}

struct node *port_kaddr(struct comp *c, struct node *n)
{
	if (n->list->kind != N_STR)
		return port_needs_literal(c, n, "the name of a symbol");
	return check_ksym_addr(c, n, "", n->list->str);
}

/* The inode number of the directory is the id. */
struct node *port_cgroupid(struct comp *c, struct node *n)
{
	struct stat st;

	if (n->list->kind != N_STR)
		return port_needs_literal(c, n, "the path of a cgroup");
	if (!machine_is_here(c->env))
		return ERR(c, D_PROTO_ARG, n->list->at, "the cgroup '%s' is one of %s, whose "
			   "cgroups are not recorded: compile the program there", n->list->str,
			   machine_name(c->env));
	file_note_passing();
	if (stat(n->list->str, &st))
		return ERR(c, D_PROTO_ARG, n->list->at, "the cgroup '%s' cannot be found: %s",
			   n->list->str, strerror(errno));
	return check_int(c, n, st.st_ino, &ty_ulong);
}

struct node *port_percpu_kaddr(struct comp *c, struct node *n)
{
	if (n->list->kind != N_STR)
		return port_needs_literal(c, n, "the name of a symbol");
	return check_percpu_addr(c, n, n->list->str, n->list->next);
}

struct node *port_kptr(struct comp *c, struct node *n)
{
	return port_first(c, n);
}

struct node *port_uptr(struct comp *c, struct node *n)
{
	struct node *arg = port_first(c, n), *cast;
	struct type *t;

	if (!arg || !check_value(c, arg))
		return NULL;
	if (!type_is_scalar(arg->type))
		return ERR(c, D_PROTO_ARG, arg->at, "uptr() takes an address, not '%s'",
			   TYPE_TEXT(c, arg->type));
	t = type_is_ptr(arg->type) ? type_base(arg->type) : type_ptr(c->arena, &ty_void);
	cast = check_make(c, N_CAST, n, type_copy(c, t));
	cast->type->is_user = true;
	cast->a = arg;
	return cast;
}

#define AF_IPV4  2
#define AF_IPV6  10

/* A number is an IPv4 address; the length of an array, or the family given with a pointer,
 * decides. */
struct node *port_ntop(struct comp *c, struct node *n)
{
	struct node *af = n->list->next ? n->list : NULL, *addr = af ? af->next : n->list;
	struct diag *d;

	if (af)
		af->next = NULL;
	addr = check_expr(c, addr);
	if (!addr)
		return NULL;
	if (type_is_int(addr->type))
		return port_call(c, n, "__ntop4", addr);
	if (!af && type_is_array(addr->type))
		af = check_int(c, n, type_size(c, addr->type) == 16 ? AF_IPV6 : AF_IPV4, &ty_int);
	if (af) {
		af->next = addr;
		return port_call(c, n, "inet_ntop", af);
	}
	d = diag_error(&c->env->diags, D_PROTO_ARG, addr->at, "ntop() takes a number or an array, "
		       "not '%s'", TYPE_TEXT(c, addr->type));
	diag_hint(&c->env->diags, d, "for a pointer, give the family: ntop(AF_INET, p)");
	return NULL;
}

struct node *port_pton(struct comp *c, struct node *n)
{
	struct in6_addr six;
	struct in_addr four;
	struct diag *d;

	if (n->list->kind != N_STR)
		return port_needs_literal(c, n, "an address");
	if (inet_pton(AF_IPV4, n->list->str, &four) == 1)
		return check_int(c, n, four.s_addr, &ty_uint);
	d = diag_error(&c->env->diags, D_PROTO_ARG, n->list->at, "'%s' is not an IPv4 address",
		       n->list->str);
	if (inet_pton(AF_IPV6, n->list->str, &six) == 1)
		diag_hint(&c->env->diags, d, "IPv6 addresses are compared as strings: "
			  "inet_ntop(AF_INET6, address) == \"%s\"", n->list->str);
	return NULL;
}

struct node *port_len(struct comp *c, struct node *n)
{
	struct node *arg;
	struct diag *d;

	if (n->list->kind == N_AGGREF) {
		d = diag_error(&c->env->diags, D_OP_DYN, n->list->at,
			       "the number of entries of @%s is not known while tracing",
			       n->list->name);
		diag_hint(&c->env->diags, d, "count new keys in a variable, or look at what "
					     "printa(@%s) shows", n->list->name);
		return NULL;
	}
	arg = port_first(c, n);
	if (!arg)
		return NULL;
	if (type_is_dyn(arg->type)) {
		d = diag_error(&c->env->diags, D_OP_DYN, arg->at,
			       "the number of elements of an array is not known");
		diag_hint(&c->env->diags, d, "keep a count in a variable where elements are added "
					     "and removed");
		return NULL;
	}
	if (type_base(arg->type)->kind == T_STACK)
		return check_expr(c, port_name(c, n, type_base(arg->type)->is_user ?
					       "ustackdepth" : "stackdepth"));
	return port_call(c, n, "strlen", arg);
}

/* ---- bytes, texts ---------------------------------------------------------------------- */

/* Kernel objects are read as such; only here it is known in whose memory a number is. */
static struct node *port_buf_counted(struct comp *c, struct node *n, struct node *addr,
				     struct node *size)
{
	bool fixed = size->kind == N_INT, arg = addr->kind == N_ARG || type_is_int(addr->type);
	u32 max = fixed ? MIN(size->value, (u64)DTX_REC_MAX) : type_size(c, &ty_string);

	if (fixed && (!max || max > DTX_REC_MAX / 2))
		return ERR(c, D_PROTO_ARG, size->at, "buf() takes 1 to %d bytes", DTX_REC_MAX / 2);
	if (fixed && !arg)
		return check_bytes(c, addr, max);
	addr->next = size;
	n = check_make(c, N_CALL, n, type_array(c->arena, &ty_uchar, max));
	n->row = builtin_row(BI___buf);
	n->name = n->row->name;
	n->list = addr;
	return n;
}

/* buf(address, size), buf(array); of a string all its bytes. */
struct node *port_buf(struct comp *c, struct node *n)
{
	struct node *addr, *size = n->list->next;
	bool ok = true;

	n->list = check_list(c, n->list, &ok);
	if (!ok)
		return NULL;
	addr = n->list;
	size = size ? addr->next : NULL;
	addr->next = NULL;
	if (size && !type_is_int(size->type))
		return ERR(c, D_PROTO_ARG, size->at,
			   "the size of buf() must be an integer, not '%s'",
			   TYPE_TEXT(c, size->type));
	if (!size && type_is_array(addr->type))
		size = check_int(c, n, type_size(c, addr->type), &ty_int);
	if (!size)
		return ERR(c, D_PROTO_ARG, n->at, "buf() of a pointer needs a size");
	if (type_is_string(addr->type)) {
		addr->next = check_int(c, n, 0, &ty_int);
		addr->next->next = size;
		return port_call(c, n, "substr", addr);
	}
	if (!type_is_scalar(addr->type) && !type_is_array(addr->type))
		return ERR(c, D_PROTO_ARG, addr->at, "buf() takes an address, not '%s'",
			   TYPE_TEXT(c, addr->type));
	return port_buf_counted(c, n, addr, size);
}

/* The format is a constant: it is passed in the type to the code that shows the number. */
struct node *port_strftime(struct comp *c, struct node *n)
{
	struct node *fmt = n->list, *ns = fmt->next;

	if (fmt->kind != N_STR)
		return port_needs_literal(c, n, "a format of strftime(3)");
	fmt->next = NULL;
	ns = check_expr(c, ns);
	if (ns && !type_is_int(ns->type))
		return ERR(c, D_PROTO_ARG, ns->at, "strftime() takes nanoseconds, not '%s'",
			   TYPE_TEXT(c, ns->type));
	n = ns ? port_call(c, n, "__strftime", ns) : NULL;
	if (n)
		n->type->name = arena_printf(c->img->arena, "__strftime %s", fmt->str);
	return n;
}

/* The text between control characters is strftime()'s; they are printf()'s, which shows those of a
 * value as \n. */
struct node *port_time(struct comp *c, struct node *n)
{
	struct node *fmt = n->list ? n->list : port_text(c, n, "%H:%M:%S\n");
	struct node *list = NULL, **end = &list;
	struct arena *a = c->img->arena;
	const char *text = "", *at;

	if (fmt->kind != N_STR)
		return port_needs_literal(c, n, "a format of strftime(3)");
	for (at = fmt->str; *at; at++) {
		size_t plain = strcspn(at, "\n\t\r");
		struct node *part;

		text = arena_printf(a, "%s%s%.1s", text, plain ? "%s" : "", at + plain);
		if (plain) {
			part = port_text(c, n, arena_printf(a, "%.*s", (int)plain, at));
			part->next = port_name(c, n, "walltimestamp");
			*end = port_call(c, n, "strftime", part);
			if (!*end)
				return NULL;
			end = &(*end)->next;
		}
		at += plain - !at[plain];
	}
	fmt = port_text(c, n, text);
	fmt->next = list;
	return port_call(c, n, "printf", fmt);
}

struct node *port_join(struct comp *c, struct node *n)
{
	struct node *argv = n->list, *sep = argv->next, *fmt = port_text(c, n, "%s\n");

	if (sep && (sep->kind != N_STR || sep->len != 1))
		return ERR(c, D_PROTO_ARG, sep->at, "join() puts one character between the "
						    "strings");
	argv->next = NULL;
	argv = check_expr(c, argv);
	if (!argv)
		return NULL;
	argv->next = check_int(c, n, sep ? (u8)sep->str[0] : ' ', &ty_int);
	fmt->next = port_call(c, n, "__join", argv);
	return fmt->next ? port_call(c, n, "printf", fmt) : NULL;
}

/* ---- elements of arrays ---------------------------------------------------------------------- */

/* (a, b) as one argument is two keys. */
static struct node *port_keys(struct node *k)
{
	struct node *first, *last;

	if (!k || k->kind != N_COMMA)
		return k;
	first = last = port_keys(k->a);
	while (last->next)
		last = last->next;
	last->next = k->b;
	return first;
}

/* The element of delete(x, k), delete(x[k]) and has_key(x, k); NULL after an error. */
static struct node *port_element(struct comp *c, struct node *n)
{
	struct node *of = n->list, *keys = of->next, *e;
	struct diag *d;

	if (of->kind == N_AGGREF) {
		d = diag_error(&c->env->diags, D_OP_DYN, of->at, "single entries of an aggregation "
			       "cannot be read or deleted: @%s is only printed", of->name);
		diag_hint(&c->env->diags, d, "trunc(@%s) empties it; for values that the program "
					     "reads again, use a variable: %s[key] = value, "
					     "%s[key] = 0", of->name, of->name,
			  of->name);
		return NULL;
	}
	of->next = NULL;
	if (!keys)
		return of;
	e = check_make(c, N_INDEX, n, NULL);
	e->a = of;
	e->list = port_keys(keys);
	return e;
}

static struct node *port_binary(struct comp *c, struct node *n, enum node_kind kind, int op,
				struct node *a, struct node *b)
{
	struct node *e = check_make(c, kind, n, NULL);

	e->op = op;
	e->a = a;
	e->b = b;
	return check_expr(c, e);
}

struct node *port_has_key(struct comp *c, struct node *n)
{
	struct node *e = port_element(c, n);

	e = e ? check_expr(c, e) : NULL;
	return e ? port_binary(c, n, N_BINARY, OP_NE, e, check_int(c, n, 0, &ty_int)) : NULL;
}

struct node *port_delete(struct comp *c, struct node *n)
{
	struct node *e = port_element(c, n);

	return e ? port_binary(c, n, N_ASSIGN, '=', e, check_int(c, n, 0, &ty_int)) : NULL;
}

/* ---- signals, memory of the program ---------------------------------------------------------- */

/* "SIGUSR1", "usr1" */
static int port_signal_number(const char *name)
{
	char upper[16] = "";

	for (u32 i = 0; name[i] && i + 1 < sizeof(upper); i++)
		upper[i] = toupper((unsigned char)name[i]);
	for (int i = 1; i < NSIG; i++)
		if (sigabbrev_np(i) &&
		    !strcmp(sigabbrev_np(i), upper + 3 * !strncmp(upper, "SIG", 3)))
			return i;
	return 0;
}

static struct node *port_raise(struct comp *c, struct node *n, enum builtin_id to)
{
	const char *name = n->list->kind == N_STR ? n->list->str : NULL;
	int number = name ? port_signal_number(name) : 0;

	if (!name)
		return port_call(c, n, builtin_row(to)->name, n->list);
	if (!number)
		return ERR(c, D_PROTO_ARG, n->list->at, "there is no signal '%s'", name);
	return port_call(c, n, builtin_row(to)->name, check_int(c, n, number, &ty_int));
}

struct node *port_signal(struct comp *c, struct node *n)
{
	return port_raise(c, n, BI_raise);
}

struct node *port_signal_thread(struct comp *c, struct node *n)
{
	return port_raise(c, n, BI___raise_thread);
}

struct node *port_write_user(struct comp *c, struct node *n)
{
	struct node *to = n->list, *from = to->next, *size = from->next;

	from->next = to;
	to->next = size;
	return port_call(c, n, "copyout", from);
}

struct node *port_ncpus(struct comp *c, struct node *n)
{
	return check_int(c, n, machine_cpus(c->env), &ty_uint);
}

struct node *check_args_bare(struct comp *c, struct node *n)
{
	struct diag *d = diag_error(&c->env->diags, D_IDENT_BADREF, n->at,
				    "args is not a value: it has the arguments of the probe");

	diag_hint(&c->env->diags, d,
		  "args[0] is the first of them, args.NAME one that has a name; " TOOL
		  " -lv lists them");
	return NULL;
}

/* ---- which ----------------------------------------------------------------------------------- */

#define PORT_BL_REWRITE(f)   f
#define PORT_BL_CALL(f)      NULL
#define PORT_BL_EMIT(f)      NULL
#define PORT_BL_TEXT(f)      NULL
#define PORT_BL_RECORD(f)    NULL
#define PORT_BL_CONSUMER(f)  NULL
#define PORT_BL_ALIAS(f)     NULL

typedef struct node *rewrite(struct comp *, struct node *);

static rewrite *const rows[] = {
#define BUILTIN(name, kind, sig, lower, target, ...) PORT_##lower(target),
#include <dtx/tables/builtins.def>
#undef BUILTIN
};

/* Variables that have an argument in bpftrace; NULL: not one of them. */
static rewrite *with_argument(const struct builtin *b)
{
	switch (builtin_id(b)) {
	case BI_nsecs: return port_nsecs;
	case BI_pid: case BI_tid: return port_pid;
	case BI_usermode: return port_usermode;
	default: return NULL;
	}
}

/* NAME(...) of a variable: those of Linux may have parentheses, some have an argument. */
struct node *port_variable(struct comp *c, struct node *n)
{
	const struct builtin *b = builtin_exact(n->name);
	rewrite *say = n->list && !n->list->next ? with_argument(b) : NULL;

	if (say)
		return say(c, n);
	if (n->list || !(b->flags & BF_LINUX))
		return NULL;
	return check_expr(c, port_name(c, n, n->name));
}

struct node *port_rewrite(struct comp *c, struct node *n, const struct builtin *b)
{
	if (n->kind == N_CALL && !sig_length_ok(c, sig_parse(c, b->sig), n->name, n->at, n->list))
		return NULL;
	return rows[b - builtins](c, n);
}
