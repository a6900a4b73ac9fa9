/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * providers.h - what the providers share: listing, argument lists, links, user objects.
 *
 * runtime/provider/ includes this, attach.h, kernel.h, sym.h, dtx/arch.h and base.
 */
#ifndef DTX_PROVIDERS_H
#define DTX_PROVIDERS_H

#include <stdio.h>

#include <dtx/provider.h>

#include <dtx/arch.h>
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

/* ---- provider/provider.c: what the providers share ------------------------------------------- */

enum prov_slot {                                 /* index into dtx_providers, env->prov_cache */
#define PROVIDER(name, base) PROV_##name,
#include <dtx/providers.def>
#undef PROVIDER
	PROV_N
};
#define PROVIDER(name, base) extern const struct dtx_provider provider_##name;
#include <dtx/providers.def>
#undef PROVIDER

struct prov_made;
u32 prov_base(enum prov_slot);                   /* first probe id */
/* The provider field: empty, the name itself, or a pattern that matches it. */
bool prov_named(const struct dtx_pattern *, const char *name);
/* All that list() has to ask of one probe: id and module, function and name fields. */
bool prov_wants(const struct dtx_pattern *, u32 id, const char *mod, const char *func,
		const char *name);
/* A new probe in the environment's arena (four strings are kept, not copied). */
struct dtx_probe *prov_probe(struct dtx_env *, enum prov_slot, u32 id, const char *prov,
			     const char *mod, const char *func, const char *name);
struct dtx_arg *prov_args(struct dtx_env *, struct dtx_probe *, u32 n);
/* A name that is an offset into its function: hexadecimal without 0x. */
bool prov_offset(const char *name, u64 *off);
/* Why a function of `size` bytes has no such place (sentence); before, after: the instructions
 * around it. */
const char *prov_off_advice(struct dtx_env *, const struct dtx_pattern *, u64 off, u64 size,
			    u64 before, u64 after);
/* Zeroed memory behind env->prov_cache[slot], made on first use. */
void *prov_cache(struct dtx_env *, enum prov_slot, size_t size);
/* Probes made on demand: how many other texts were asked for before this one. */
u32 prov_made(struct dtx_env *, struct prov_made **list, const char *text);
/* "fbt:vmlinux:vfs_*:entry": the fields that all n probes share. */
const char *prov_common(struct arena *, const struct dtx_probe **, u32 n);
/* Why an attach failed, in words: after "probe cannot be attached: ". */
const char *prov_why(int err);

/* ---- provider/stable.c: probes that are rows of stable.def ----------------------------------- */

int stable_args(struct dtx_env *, struct dtx_probe *);
/* Why there is no such probe, though DTrace has it elsewhere; NULL: it is not one of those. */
const char *stable_absent(struct dtx_env *, const struct dtx_pattern *);
/* the same of a program's provider */
const char *usdt_absent(struct dtx_env *, const struct dtx_pattern *);

/* ---- provider/perflink.c: links of perf events, shared by several providers ------------------ */

/* Link `prog_fd` to a perf event, by bpf_link where the kernel has it.  Takes perf_fd (also
 * on failure).  The fd that keeps it attached, or -errno. */
int perf_attach(int prog_fd, int perf_fd, u64 cookie);
/*
 * The same of an event that was opened disabled, to read its times: it is enabled, its link kept,
 * and how often it should have fired counted. `probe`: of the image, which is the cookie; period:
 * ns of a clock, else events, 0: not known, not counted.
 */
int perf_attach_sampled(struct attach *, int prog_fd, int perf_fd, u64 probe, u64 period,
			bool clock);
/* One probe at a time through `open`, in threads when there are many.  Keeps and refuses, with
 * `why` as the reason (NULL: prov_why()). */
int perf_attach_all(struct attach *, const struct dtx_probe **, const u64 *cookies, u32 n,
		    int prog_fd, int (*open)(const struct dtx_probe *),
		    const char *(*why)(struct dtx_env *, const struct dtx_probe *, int err));

/* ---- provider/multi.c: one link for many functions, without the sites that spoil it ---------- */

struct multi_site { const struct dtx_probe *probe; u64 cookie; };
/* Link sites[0..n) at once; an fd or -errno. */
typedef int multi_link_fn(void *arg, const struct multi_site *sites, u32 n, int prog_fd);
/* Splits what the kernel refuses until the refused sites are alone.  Number attached; keeps
 * the links, adds their number to *nlinks, and names the refused. */
u32 multi_attach(struct attach *at, const struct multi_site *sites, u32 n, int prog_fd,
		 multi_link_fn *link, void *arg, u32 *nlinks);

/* ---- provider/tpevents.c: the tracepoint events of tracefs, of tracepoint and rawtp --- */

struct tp_id { const char *group, *name; u32 id; };
/* Every event that matches, in order of group; stops when fn returns non-zero. */
int tpevents_each(struct dtx_env *, const char *group, const char *event,
		  int (*fn)(void *arg, const struct tp_id *), void *arg);
/* BTF id of the tracepoint's prototype and the BTF object it is in (0: vmlinux); 0: none. */
u32 tpevents_btf(struct dtx_env *, const char *event, u32 *obj_id);
/* prov_why() of an event: those that somebody made have reasons of their own. */
const char *tpevents_why(struct dtx_env *, const struct dtx_probe *, int err);

/* ---- provider/args.c: argument lists of C functions ------------------------------------------ */

/* Arguments in consecutive 8-byte context slots from `slot`; slots used. */
u32 args_slots(struct dtx_env *, struct dtx_probe *, const struct type *proto, u32 first,
	       u32 slot, bool trusted);
u32 args_nslots(const struct type *proto, u32 first);
/* Behind those it has, the parameters in context slots from 0, by name alone. */
void args_slots_named(struct dtx_env *, struct dtx_probe *, const struct type *proto);
/* Arguments by the C calling convention, typed by `proto` (NULL: all DTX_MAX_ARGS, untyped). */
void args_regs(struct dtx_env *, struct dtx_probe *, const struct type *proto, bool user);
/* D's return probe: arg0 = `arg0`, arg1 = value of type `ret` in the return register. */
void args_return(struct dtx_env *, struct dtx_probe *, struct type *ret, s64 arg0);
/* arg0, arg1: program counter of the kernel, of the program; one of them is 0. */
void prov_args_pc(struct dtx_env *, struct dtx_probe *);

/* ---- provider/user.c: user functions, for uprobe and pid ------------------------------------- */

struct user_where {              /* where to look: an object, as the probe shows it */
	enum prov_slot slot;
	const char *prov, *mod;
	const char *path;
	s32 pid;                     /* 0: every process */
	bool exact;                  /* the object was named: what it lacks is told (D_PROC_) */
};
int user_list(struct dtx_env *, const struct dtx_pattern *, const struct user_where *,
	      dtx_probe_fn *, void *arg);
int user_args(struct dtx_env *, struct dtx_probe *);
int user_attach(struct attach *, const struct dtx_probe **, const u64 *cookies, u32 n,
		int prog_fd);
const char *user_missing(struct dtx_env *);
/* Why this object has no such place (sentence); NULL: not known. */
const char *user_advise(struct dtx_env *, const struct dtx_pattern *, const char *path);
/* A probe at an offset of the file; the id is that of the four fields in this object. */
struct dtx_probe *user_probe(struct dtx_env *, const struct user_where *, const char *func,
			     const char *name, u64 off, bool ret);
/* Symbols of an object, kept with the environment; NULL: it cannot be read. */
struct elfsyms *user_symbols(struct dtx_env *, const char *path);
/* A path, or a library or program by name; NULL: none.  In the environment's arena. */
const char *user_path(struct dtx_env *, const char *name);
/* A field as a path: without the backslashes that protect from globbing. */
const char *user_literal(struct dtx_env *, const char *pattern);
void user_cleanup(struct dtx_env *);

/* ---- provider/insn.c: the instructions of a function ----------------------------------------- */

/* Offsets of its instructions, from 0 up, until fn returns non-zero; where the code cannot be
 * read or understood the walk ends.  `probed`: the kernel can set a probe there. */
int insn_each(int fd, u64 file_off, u64 size, int (*fn)(void *arg, u64 off, bool probed),
	      void *arg);
/* Can a probe be set at this offset: does an instruction begin there that the kernel takes? */
bool insn_probed(int fd, u64 file_off, u64 size, u64 off);

/* ---- provider/process.c: the objects of processes -------------------------------------------- */

struct proc_object {
	const char *name;            /* base name, as the process sees it */
	const char *path;            /* as this process can open it */
	bool is_exe;
};
/* Which file a path is; zeros: none. */
struct file_id { u64 dev, ino; s64 changed; };
struct file_id file_identity(const char *path);
bool file_id_same(const struct file_id *, const struct file_id *);
/* What a process sees as `path`; false: it is not to be had. */
bool process_object(struct dtx_env *, s32 pid, const char *path, struct proc_object *);
typedef int proc_object_fn(void *arg, s32 pid, const struct proc_object *);
/* The executable, then every file mapped as code, each once.  0, or what fn returned. */
int process_objects(struct dtx_env *, s32 pid, proc_object_fn *, void *arg);
/* The same of all processes: each file once, with one of the processes that have it. */
int process_all_objects(struct dtx_env *, proc_object_fn *, void *arg);
bool process_exists(s32 pid);
/* Path of its executable, as this process can open it; NULL: unknown.  In the environment's
 * arena. */
const char *process_exe(struct dtx_env *, s32 pid);
const char *path_base(const char *path);          /* what is behind the last slash */
/* D's module field: a pattern, a base name, the beginning of one ("libc"), or "a.out". */
bool process_object_named(const struct proc_object *, const char *mod);

/* ---- provider/usdtarg.c: the argument text of a USDT note ------------------------------------ */

struct usdt_where {
	struct elfsyms *syms;        /* of the object, for names in the text */
	u64 addr;                    /* of the site */
};
/* "-4@%eax 8@-16(%rbp)" to places; n of them at most.  The number of arguments. */
u32 usdt_parse_args(struct arena *, const char *text, const struct usdt_where *, struct dtx_arg *,
		    u32 n);

/* ---- provider/koffset.c: places inside kernel functions ------------------------------------- */

/* "fbt::f:1d", a function and an offset by name: listed when an instruction begins there, or when
 * that cannot be told.  *handled: the pattern is of this form. */
int koffset_list(struct dtx_env *, const struct dtx_pattern *, enum prov_slot, bool *handled,
		 dtx_probe_fn *, void *arg);
/* What is wrong with a place (sentence); NULL: the pattern names none. */
const char *koffset_advise(struct dtx_env *, const struct dtx_pattern *, enum prov_slot);
bool koffset_is(const struct dtx_probe *);       /* such a probe: it has registers, no arguments */

/* ---- provider/kattach.c: kernel functions -------------------------------------------------- */

/* Why a function has a perf kprobe: `num` of its probe. */
enum kattach_why { KATTACH_ANY, KATTACH_PLACE, KATTACH_REGS, KATTACH_STACK };

/* Traceable functions (available_filter_functions, else kallsyms minus the blacklist). */
int kattach_each(struct dtx_env *, int (*fn)(void *arg, const char *module, const char *func),
		 void *arg);
/* Functions that are left out of globs, for the reason kattach_refusal() gives. */
int kattach_each_left_out(struct dtx_env *,
			  int (*fn)(void *arg, const char *module, const char *func), void *arg);
/* Why can this function not be probed?  NULL: it can, as far as is known. */
extern const char *const kattach_reasons[2];
const char *kattach_refusal(struct dtx_env *, const char *func);
bool kattach_protected(struct dtx_env *, const char *func);
/* fbt's attach, by probes[0]->kind */
int kattach(struct attach *, const struct dtx_probe **, const u64 *cookies, u32 n, int prog_fd);
void kattach_cleanup(struct dtx_env *);

/* ---- provider/list.c: -l and -lv; the rest of it is in dtx/handle.h ------------------------ */

void list_head(struct buf *);                    /* the line above the rows */
/* One probe's row; verbose adds its stability and the names and C types of its arguments. */
void list_row(struct dtx_env *, struct dtx_probe *, bool verbose, struct buf *);

#endif
