/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider.h - functions that the providers share: listing, argument lists, links,
 * user objects.
 *
 * runtime/provider/ includes this; attach.h where it attaches, kernel.h where it asks the kernel;
 * what it asks of the rooms below, dtx/arch.h and base.
 */
#ifndef DTX_RUNTIME_PROVIDER_H
#define DTX_RUNTIME_PROVIDER_H

#include <stdio.h>

#include <dtx/provider.h>

#include "runtime/provider/insn.h"

struct attach;
struct attach_percpu;
struct codefile;
struct dwarf_lines_of;
struct dwarf_site;
struct elfsym;
struct elfsyms;

/* ---- provider/common.c ----------------------------------------------------------------------- */

/* Those that several files name.  The others are known to their file and to the table in
 * provider.c: a new row of providers.def rebuilds that and common.c. */
extern const struct dtx_provider provider_fbt, provider_rawfbt, provider_rawtp, provider_uprobe,
	provider_pid, provider_usdt;

struct prov_made;
u32 prov_base(const struct dtx_provider *);      /* first probe id */
u32 prov_base_of(u32 id);                        /* of the range that it is in; 0: of none */
bool prov_is(const char *name);                  /* has a provider the name, "sdt" or "pid123"? */
bool prov_begins(const char *name, size_t len);  /* begins one as these bytes do? */
/* Does the provider field match: is it empty, the name, or a pattern that matches it? */
bool prov_named(const struct dtx_pattern *, const char *name);
/* Does one probe match, by id and by module, function and name?  All that list() must check. */
bool prov_wants(const struct dtx_pattern *, u32 id, const char *mod, const char *func,
		const char *name);
struct probe_name {
	u32 id;
	const char *prov, *mod, *func, *name;
};
/* Where probes that are listed live, and what belongs to one of them alone.  What a cache points to
 * does not. */
struct arena *prov_arena(const struct dtx_env *);
/* Makes a probe there; the four strings are not copied. */
struct dtx_probe *prov_probe(struct dtx_env *, const struct dtx_provider *, struct probe_name);
struct dtx_arg *prov_args(struct dtx_env *, struct dtx_probe *, u32 n);
/* Reads a probe name that is an offset in its function: hexadecimal without 0x. */
bool prov_offset(const char *name, u64 *off);
/* Why a function of `size` bytes has no such offset, as a sentence; before, after: the
 * instructions around it. */
const char *prov_off_advice(struct dtx_env *, const struct dtx_pattern *, u64 off, u64 size,
			    u64 before, u64 after);
/* What a file keeps in an environment: memory, allocated and zeroed on first use.  The address
 * of `key` tells whose it is. */
void *prov_cache(struct dtx_env *, const char *key, size_t size);
/* The same, of what has memory of its own: free() is called at the end, unless it was forgotten. */
void *prov_cache_heap(struct dtx_env *, const char *key, size_t size,
		      void (*free)(struct dtx_env *));
void *prov_kept(struct dtx_env *, const char *key);      /* NULL: nothing */
void prov_forget(struct dtx_env *, const char *key);
bool prov_follows(const struct dtx_env *);        /* processes that targets start: option follow */
/* Probes made on demand: the number of different texts requested before this one. */
u32 prov_made(struct dtx_env *, struct prov_made **list, const char *text);
/* "fbt:vmlinux:vfs_*:entry": the fields that all n probes share. */
const char *prov_common(struct arena *, const struct dtx_probe **, u32 n);

/* ---- provider/kernel/stable.c: probes that are rows of stable.def ---------------------------- */

int stable_args(struct dtx_env *, struct dtx_probe *);
/* Why dtx lacks a probe that DTrace has on other systems; NULL: it is not one of those. */
const char *stable_absent(struct dtx_env *, const struct dtx_pattern *);
/* the same, for a provider of a program */
const char *usdt_absent(struct dtx_env *, const struct dtx_pattern *);

#define PROV_PERF_DENIED \
	"this kernel asks for CAP_SYS_ADMIN here, because kernel.perf_event_paranoid is above 2"

/* ---- provider/perflink.c: links of perf events, shared by several providers ------------------ */

/* Links `prog_fd` to a perf event, by bpf_link if the kernel has it.  Takes over perf_fd
 * (also on failure).  Returns the fd that keeps it attached, or -errno. */
int perf_attach(int prog_fd, int perf_fd, u64 cookie);
/*
 * The same for an event opened disabled.  Enables it, keeps its link as at->links.v[link], and
 * computes at the end how often it should have fired.
 */
struct perf_way {
	int prog_fd;
	u64 probe;               /* index in the image, also the cookie */
	u64 period;              /* ns of a clock, else events; 0: unknown, not computed */
	bool clock;
};
int perf_attach_sampled(struct attach *, const struct perf_way *, int perf_fd, u32 link);
bool perf_events_open(struct dtx_env *);         /* may perf events be opened here? */
enum probe_ident perf_ident(struct dtx_env *);   /* of programs that perf events run */
/* The kind of program of a perf event that samples. */
void perf_kind(struct dtx_env *, struct dtx_probe *);
/* Opens a probe on every CPU, or the one of the option cpu; CPUs that are offline are left out.
 * *ncpus: on how many.  0, or the reason why it is on none. */
int perf_attach_cpus(struct attach *, struct attach_percpu, u32 *ncpus);
typedef int perf_open_fn(const struct attach *, const struct dtx_probe *);       /* fd or -errno */
/* Opens one probe at a time with `open`, in threads if there are many.  Keeps the links, and
 * refuses failed probes with `why` as the reason (NULL: prov_why()). */
struct perf_opener {
	perf_open_fn *open;
	const char *(*why)(struct dtx_env *, const struct dtx_probe *, int err);
};
int perf_attach_all(struct attach *, const struct dtx_probe **, const u64 *cookies, u32 n,
		    int prog_fd, struct perf_opener);

/* ---- provider/multi.c: one link for many functions, without the sites the kernel refuses ----- */

struct multi_site { const struct dtx_probe *probe; u64 cookie; };
/* Links sites[0..n) at once; an fd or -errno. */
typedef int multi_link_fn(void *arg, const struct multi_site *sites, u32 n, int prog_fd);
/* Splits a refused set until the refused sites are isolated.  Returns the number attached;
 * keeps the links, adds their number to *nlinks, and reports the refused sites. */
struct multi_linker { multi_link_fn *link; void *arg; };
u32 multi_attach(struct attach *at, const struct multi_site *sites, u32 n, int prog_fd,
		 struct multi_linker, u32 *nlinks);

/* ---- provider/kernel/tpevents.c: the tracepoint events of tracefs, of tracepoint and rawtp --- */

struct tp_id { const char *group, *name; u32 id; };
/* Calls fn for every event that matches, in order of group; stops when fn returns non-zero. */
int tpevents_each(struct dtx_env *, const char *group, const char *event,
		  int (*fn)(void *arg, const struct tp_id *), void *arg);
void tpevents_outdated(struct dtx_env *);        /* a module was loaded */
/* BTF id of the tracepoint's prototype and the BTF object it is in (0: vmlinux); 0: none. */
u32 tpevents_btf(struct dtx_env *, const char *event, u32 *obj_id);
/* The kind of program of a tracepoint: typed by this prototype, or (id 0) untyped. */
void tpevents_kind(struct dtx_probe *, u32 btf_id, u32 btf_obj_id);
/* The best kind that this kernel has; `many`: of events that one program may serve. */
void tpevents_kind_of(struct dtx_env *, struct dtx_probe *, bool many, u32 btf_id, u32 btf_obj_id);
void tpevents_kind_record(struct dtx_env *, struct dtx_probe *); /* by perf: has the record */
/* Attaches it: no record.  An fd or -errno. */
int tpevents_link(const struct dtx_probe *, int prog_fd, u64 cookie);
/* prov_why() for an event; events made by hand (perf probe) have other reasons. */
const char *tpevents_why(struct dtx_env *, const struct dtx_probe *, int err);

/* ---- provider/args.c: argument lists of C functions ------------------------------------------ */

/* Arguments in consecutive 8-byte context slots, starting at `slot`; returns the slots used. */
u32 args_slots(struct dtx_env *, struct dtx_probe *, const struct type *proto, u32 first,
	       u32 slot, bool trusted);
u32 args_nslots(const struct type *proto, u32 first);
/* Adds, after its arguments, the parameters in context slots from 0, only by name. */
void args_slots_named(struct dtx_env *, struct dtx_probe *, const struct type *proto);
/* Its value is what the function `call` of the BPF library returns. */
void args_call(struct dtx_arg *, const char *call);
/* Arguments of a function of the kernel for a program that is at many: fentry.multi. */
void args_called(struct dtx_env *, struct dtx_probe *, const struct type *proto);
/* No number in arg0 … arg9 would mean anything: each is refused with the reason. */
void args_nowhere(struct dtx_env *, struct dtx_probe *, const char *why);
/* Arguments by the C calling convention, typed by `proto` (NULL: all DTX_MAX_ARGS, untyped). */
void args_regs(struct dtx_env *, struct dtx_probe *, const struct type *proto, bool user);
/* Name, type and size of an argument. */
void args_typed(struct dtx_arg *, const struct type_member *param);
/* D's return probe: arg0 = `arg0`, arg1 = value of type `ret` in the return register. */
void args_return(struct dtx_env *, struct dtx_probe *, struct type *ret, s64 arg0);
/* The same where the probe has registers; proto NULL: a number. */
void args_result(struct dtx_env *, struct dtx_probe *, const struct type *proto, s64 arg0);
/* arg0, arg1: program counter in the kernel, and in the program; one of them is 0. */
void prov_args_pc(struct dtx_env *, struct dtx_probe *);

/* ---- provider/user/user.c: user functions, for uprobe and pid -------------------------------- */

struct proc_object;
struct user_where {              /* the object to search, as the probe shows it */
	const struct dtx_provider *of;
	const char *prov, *mod;
	const char *path;
	s32 pid;                     /* 0: every process */
	bool exact;                  /* the object was named: what it lacks is an error (D_PROC_) */
	bool of_pid;                 /* pidN: globs leave clones out; no name is everything */
};
int user_list(struct dtx_env *, const struct dtx_pattern *, const struct user_where *,
	      dtx_probe_fn *, void *arg);
int user_args(struct dtx_env *, struct dtx_probe *);
/* The probe of uprobe.c that keeps registers at the entry of a function (dtx_provider.entry). */
struct dtx_probe *uprobe_entry(struct dtx_env *, const struct dtx_probe *, u64 off);
const char *user_missing(struct dtx_env *);
/* Of another machine: why there is no probe of a process, of a file, of several files. */
const char *user_no_process(struct dtx_env *);
const char *user_not_recorded(struct dtx_env *, const char *name);
const char *user_no_globs(struct dtx_env *);
/* Why this object has no such place, as a sentence; NULL: unknown. */
const char *user_advise(struct dtx_env *, const struct dtx_pattern *, const char *path);
/* A path, or the path of a library or program by its name; NULL: not found.  In the environment's
 * arena. */
const char *user_path(struct dtx_env *, const char *name);
const char *user_no_file(struct dtx_env *, const char *name);    /* why user_path() finds nothing */
/* A field as a path, without the backslashes that quote glob characters. */
const char *user_literal(struct dtx_env *, const char *pattern);

/* ---- provider/user/userfile.c: files of programs, and a probe in one ------------------------- */

/* A probe at a file offset; its id belongs to the four fields in this object. */
struct dtx_probe *user_probe(struct dtx_env *, const struct user_where *, const char *func,
			     const char *name, u64 off, bool ret);
struct map *user_globals(struct dtx_env *);      /* names of globals that were asked for */
struct map *user_idle(struct dtx_env *);         /* files that were told to be unused */
/* Why this kernel has no probes of programs at all; NULL: it has. */
const char *user_never(struct dtx_env *);
/* Symbols of an object, kept by the environment; NULL: it cannot be read. */
struct elfsyms *user_symbols(struct dtx_env *, const char *path);

/* ---- provider/user/userattach.c -------------------------------------------------------------- */

int user_attach(struct attach *, const struct dtx_probe **, const u64 *cookies, u32 n,
		int prog_fd);

/* userzone.c: refuses those where a probe would change what the program computes, and leaves the
 * others, with their cookies (or NULL).  Returns how many. */
u32 user_drop_harmful(struct attach *, const struct dtx_probe **, u64 *cookies, u32 n);

/* place.num of these providers */
enum {
	USER_FUNCTION,
	USER_CLONE,              /* entry of one that is not called as its source says */
	USER_INSIDE,             /* at an instruction */
	USER_LINE,
	USER_GO_RETURN,          /* at an instruction that returns, of Go */
	USER_RETURN,             /* of others; the rest are returns, too: */
	USER_LEAVE,              /* at a jump out of the function: its return */
	USER_LEAVE_FIRST,        /* the same, and the result is the first argument */
	USER_TAIL,               /* of a function that the jump leads to: the return of the first */
	USER_STRAY,              /* the same at a jump to where it is not followed: no result */
};

/* ---- provider/user/userends.c: entry and return ---------------------------------------------- */

struct user_function {
	const struct user_where *where;
	struct codefile *file;       /* user_code() of its path, asked once for all functions */
	const struct elfsym *sym;
	const char *shown, *key;     /* its name; what identifies its probes */
	bool alone;                  /* it was named: what cannot be probed is an error */
	u32 site;                    /* of the next place */
	/* An IFUNC in a pattern: is this choice listed by its own name?  NULL: none is. */
	bool (*skips)(void *arg, const struct elfsym *);
	void *skips_arg;
};
/* Of a probe with USER_TAIL or USER_STRAY (dtx_probe.own): where the function is, and the jump. */
struct user_tail_from {
	const char *path;
	u64 jump;
};
static inline const struct user_tail_from *user_tail_of(const struct dtx_probe *p)
{
	return p->place.num == USER_TAIL || p->place.num == USER_STRAY ? p->own : NULL;
}
/* common.c: names for a message: all with -v, else the first few and a number. */
struct few_names {
	u32 n;
	struct buf names;
	size_t cut;              /* bytes of the first few */
};
void few_add(struct few_names *, const char *name);
const char *few_text(struct few_names *, bool all);      /* it lives until few_free() */
void few_free(struct few_names *);

/* Functions that a pattern matched and that cannot be probed. */
struct user_left_out {
	struct left_reason { const char *why; struct few_names names; } *v;
	u32 n;
};
int user_leave_out(struct user_left_out *, const char *name, const char *why);   /* 0 */
bool user_by_kernel(struct dtx_env *);           /* returns, by the option ureturn */
int user_list_return(struct dtx_env *, struct user_function *, struct user_left_out *,
		     dtx_probe_fn *, void *arg);
int user_list_entry(struct dtx_env *, struct user_function *, struct user_left_out *,
		    dtx_probe_fn *, void *arg);
/* One of a pattern whose first instruction cannot have a probe. */
void user_leave_entry_out(struct dtx_env *, const struct user_function *, struct user_left_out *);
/* Entry or return of all functions that an IFUNC can be. */
int user_list_ifunc(struct dtx_env *, const struct user_function *, bool entry,
		    struct user_left_out *, dtx_probe_fn *, void *arg);
/* Names them, each reason once, and forgets them. */
void user_tell_left_out(struct dtx_env *, const struct user_where *, struct user_left_out *);
/* Where the function of a probe begins in the file. */
static inline u64 user_begin(const struct dtx_probe *p)
{
	return p->place.begin ? p->place.begin : p->place.off;
}

/* Where in the file its probe is set. */
static inline u64 user_probed(const struct dtx_probe *p)
{
	return p->place.off + p->place.past;
}
/* provider/user/userpast.c: for_needs(), and what args() has found. */
void user_for_needs(struct dtx_env *, struct dtx_probe *, u32 needs);
/* May a jump lead to an instruction?  `off`: of it, in the file.  Bytes that only look so count. */
bool user_may_be_jumped_to(struct dtx_env *, const char *path, u64 addr, u64 off);
void user_past_args(struct dtx_probe *, bool (*keeps)(u32 off));

/* ---- provider/user/userothers.c: probes of other tools --------------------------------------- */

bool user_others(struct dtx_env *, const char *path, u64 off);  /* has another tool one there? */
/* What was asked so far, a line "other ANSWER OFFSET PATH" for each. */
void user_others_asked(struct dtx_env *, struct buf *);

/* ---- provider/user/username.c: names of functions -------------------------------------------- */

/* `clones`: patterns fit those that the optimiser made of functions (f.isra.0), too; a name without
 * a pattern always does. */
bool user_name_fits(const char *wanted, const struct elfsym *, bool clones);
/* Is the symbol an older version of the function of this name, or a clone of it?  A piece of it has
 * no entry, and is none. */
bool user_is_other_of(const char *name, const struct elfsym *);
/* NAME@VERSION of several functions of one name; NULL: there is none, or it is another name. */
const struct elfsym *user_one_version(struct codefile *, struct elfsyms *, const char *func);
bool user_is_clone(const char *symbol);          /* made by the optimiser, or an old version */
bool user_is_changed(const char *symbol);        /* its parameters may not be those of the source */
/* As in the source; "FILE`NAME" if several static functions have the name.  In the arena. */
const char *user_shown_name(struct dtx_env *, const struct elfsym *);
/* "; did you mean 'malloc'?" of a function that is not there, or "". */
const char *user_similar(struct dtx_env *, const char *path, const char *func);
/* Which functions a pattern does not fit because the optimiser has made them; or NULL. */
const char *user_clones_only(struct dtx_env *, const struct dtx_pattern *, const char *path);
const char *user_nameless(struct dtx_env *, const char *path); /* why it has no function; or NULL */

/* ---- provider/user/userlate.c: those that come later ----------------------------------------- */

/* Stands for what the pattern will match (dtx_probe.late); NULL: the kernel has no cookies. */
struct dtx_probe *user_placeholder(struct dtx_env *, const struct dtx_pattern *,
				   const struct user_where *, bool ret);
bool user_matches_now(struct dtx_env *, const struct dtx_provider *, const struct dtx_pattern *);
/* The same for entry or return of functions; NULL also if something matches now. */
struct dtx_probe *user_late(struct dtx_env *, const struct dtx_pattern *,
			    const struct user_where *);
/* Is it the file that the module field names: a path, a pattern of one, a library? */
bool user_is_file(struct dtx_env *, const char *mod, const struct proc_object *);
int user_late_args(struct dtx_env *, struct dtx_probe *);        /* numbers; their places follow */

/* ---- provider/user/usergo.c: functions of Go ------------------------------------------------- */

bool user_is_go(struct dtx_env *, const char *path, const char *symbol);
void user_go_args(struct dtx_env *, struct dtx_probe *);

/* ---- provider/line.c: lines of the source ---------------------------------------------------- */

#define LINE_ENTRY "@+0"         /* the line that declares a function: its entry */
bool line_is(const char *name);                  /* FILE@LINE, @LINE, FILE@*, @+LINES */
/* "FILE.c", "42" as function and name: sets both to the line's; false: something else. */
bool line_fields(struct arena *, const char *func, const char *name, struct dtx_pattern *);
/* What a description asks of an object; false: its debugging information has no such function. */
bool line_wanted(struct dtx_env *, const struct dtx_pattern *, const char *object,
		 struct dwarf_lines_of *);
/* How places become probes. */
struct line_maker {
	/* NULL: no probe can be there. */
	struct dtx_probe *(*make)(struct dtx_env *, const struct line_maker *,
				  const struct dwarf_site *, const char *name);
	const char *object;      /* whose debugging information it is */
	const void *priv;
	dtx_probe_fn *each;      /* who gets them */
	void *arg;
};
/* Sites as dwarf_lines() gives them; they are called `name`, NULL: FILE@LINE. */
int line_list(struct dtx_env *, const struct line_maker *, const struct dwarf_site *, u32 n,
	      const char *name);
/* For -lv: where a line is in the source, lines of text; NULL: it is no line. */
const char *line_about(struct dtx_env *, const struct dtx_probe *);
/* Why there is no such line; `shown`: the object's name for the user. */
const char *line_advise(struct dtx_env *, const struct dtx_pattern *, const char *object,
			const char *shown);
/* The variables in scope, by name: of a probe of line_list(); of one at an address of the
 * object. */
void line_args(struct dtx_env *, struct dtx_probe *);
void line_args_at(struct dtx_env *, struct dtx_probe *, const char *object, u64 addr);

/* ---- provider/kernel/kernline.c: lines of the kernel ----------------------------------------- */

/* Is it a line of the kernel's source: fbt::FUNCTION:12, fbt::tcp.c@1180? */
bool kernline_is(const struct dtx_pattern *);
bool kernline_is_entry(const struct dtx_pattern *);      /* the line that declares the function */
int kernline_list(struct dtx_env *, const struct dtx_pattern *, const struct dtx_provider *,
		  dtx_probe_fn *, void *arg);
const char *kernline_advise(struct dtx_env *, const struct dtx_pattern *);
/* The places where a function without code of its own is inlined, as its entry; only if the pattern
 * names its module and no others. */
int kernline_list_inlined(struct dtx_env *, const struct dtx_pattern *,
			  const struct dtx_provider *, dtx_probe_fn *, void *arg);
void kernline_args(struct dtx_env *, struct dtx_probe *);
/* The variables in scope at an instruction (koffset.c), if there is debugging information. */
void kernline_args_at(struct dtx_env *, struct dtx_probe *);
/* dtx_provider.entry: `entry` is an address in the module's file. */
struct dtx_probe *kernline_entry(struct dtx_env *, const struct dtx_probe *, u64 entry);

/* ---- provider/user/userline.c: lines of programs --------------------------------------------- */

int user_list_lines(struct dtx_env *, const struct dtx_pattern *, const struct user_where *,
		    dtx_probe_fn *, void *arg);
/* The places where a function without code of its own is inlined, as its entry. */
int user_list_inlined(struct dtx_env *, const struct dtx_pattern *, const struct user_where *,
		      dtx_probe_fn *, void *arg, bool *found);
int user_list_copies(struct dtx_env *, const struct user_where *, const struct elfsym *,
		     dtx_probe_fn *, void *arg, bool *found);
/* That a function is also inlined; NULL: it is not. */
const char *user_remark(struct dtx_env *, const struct dtx_pattern *, const struct dtx_probe *);
const char *user_line_advise(struct dtx_env *, const struct dtx_pattern *, const char *path);
/* Adds a global of the program as an argument; false: there is none of this name. */
bool user_named(struct dtx_env *, struct dtx_probe *, const char *name);
/* The variables in scope, by name; also of a probe at an instruction. */
void user_line_args(struct dtx_env *, struct dtx_probe *);

/* ---- provider/user/userlang.c ---------------------------------------------------------------- */

/* Has the function arguments (result: what it returns) in other registers than those of C, as its
 * object's symbols say?  A reason for a message; NULL: no.  told: there is debugging information
 * of it. */
const char *user_other_registers(struct codefile *, const char *symbol, bool result, bool told);

/* ---- provider/user/userargs.c ---------------------------------------------------------------- */

void user_function_args(struct dtx_env *, struct dtx_probe *);
void user_result_args(struct dtx_env *, struct dtx_probe *);

/* ---- provider/user/process.c: the objects of processes --------------------------------------- */

struct proc_object {
	const char *name;            /* base name, as the process sees it */
	const char *path;            /* the path by which this process can open it */
	bool is_exe;
};
/* What a process sees as `path`; false: it is not to be had. */
bool process_object(struct dtx_env *, s32 pid, const char *path, struct proc_object *);
typedef int proc_object_fn(void *arg, s32 pid, const struct proc_object *);
/* Calls fn for the executable, then once for every file mapped as code.  0, or what fn returned. */
int process_objects(struct dtx_env *, s32 pid, proc_object_fn *, void *arg);
/* The same for all processes: each file once, with one of the processes that map it. */
int process_all_objects(struct dtx_env *, proc_object_fn *, void *arg);
/* The same, as it was when it was first asked for since provider_look_anew(). */
int process_seen_objects(struct dtx_env *, proc_object_fn *, void *arg);
/* What this process has mapped under the name of a library or program; NULL: nothing, or the file
 * at `known`. */
const char *process_path(struct dtx_env *, s32 pid, const char *name, const char *known);
/* A path by which this process can open its executable; NULL: unknown.  In the
 * environment's arena. */
const char *process_exe(struct dtx_env *, s32 pid);
/* Does D's module field match: a pattern, a base name, the beginning of one ("libc"), or
 * "a.out"? */
bool process_object_named(const struct proc_object *, const char *mod);

/* ---- provider/user/usdtarg.c: the argument text of a USDT note ------------------------------- */

struct usdt_where {
	struct elfsyms *syms;        /* of the object, for names in the text */
	u64 addr;                    /* of the site */
};
/* The text of a note to places, at most n.  Returns the number of arguments. */
u32 usdt_parse_args(struct arena *, const char *text, const struct usdt_where *, struct dtx_arg *,
		    u32 n);

/* ---- provider/kernel/fbt.c ------------------------------------------------------------------- */

struct btf_src *fbt_types(struct dtx_env *);     /* of the kernel; NULL: they are not known */
/* trampoline.c: a function, by its BTF. */
struct trampoline { u32 btf_id, btf_obj_id; };
bool trampoline_fits(const struct type *proto);          /* can one pass these parameters? */
bool trampoline_returns(const char *func);       /* false: the kernel takes no fexit there */
/* Does the kernel take a program that reads all of them there, and the result? */
bool trampoline_takes(struct dtx_env *, const char *func, const struct type *proto, bool ret,
		      struct trampoline);
void trampoline_describe(struct dtx_env *);      /* notes what a description needs */

/* ---- provider/kernel/koffset.c: places inside kernel functions ------------------------------- */

/* "fbt::f:1d": a function, and an offset as the name.  Listed if an instruction begins there, or
 * if that is unknown.  *handled: the pattern has this form. */
int koffset_list(struct dtx_env *, const struct dtx_pattern *, const struct dtx_provider *,
		 bool *handled, dtx_probe_fn *, void *arg);
/* What is wrong with the offset, as a sentence; NULL: the pattern has none. */
const char *koffset_advise(struct dtx_env *, const struct dtx_pattern *,
			   const struct dtx_provider *);
struct prov_made **koffset_made(struct dtx_env *);       /* places that were asked for */
/* A probe called `name` at symbol + off; the function is the one that is shown. */
struct koffset {
	const char *mod, *func, *name, *symbol;
	u64 off;
};
/* The kind of program of a function or a place in it, not by a trampoline; many: one link for
 * many. */
void koffset_kind(struct dtx_env *, struct dtx_probe *, bool many, bool ret);
struct dtx_probe *koffset_probe(struct dtx_env *, const struct dtx_provider *,
				const struct koffset *);

/* ---- provider/kernel/kattach.c: kernel functions --------------------------------------------- */

/* Why a function has a perf kprobe: `num` of its probe. */
enum kattach_why { KATTACH_ANY, KATTACH_PLACE, KATTACH_LINE, KATTACH_REGS, KATTACH_STACK };
/* Is it a place inside a function?  It has registers, no numbered arguments. */
static inline bool koffset_is(const struct dtx_probe *p)
{
	return p->place.num == KATTACH_PLACE;
}

/* Traceable functions (available_filter_functions, else kallsyms minus the blacklist). */
int kattach_each(struct dtx_env *, int (*fn)(void *arg, const char *module, const char *func),
		 void *arg);
/* Functions that globs leave out, for the reason kattach_refusal() gives. */
int kattach_each_left_out(struct dtx_env *,
			  int (*fn)(void *arg, const char *module, const char *func), void *arg);
/* How many functions have this name in the module, at least 1: by the symbols, or only if the list
 * of those that can be traced has it more than once. */
u32 kattach_functions(struct dtx_env *, const char *mod, const char *func);
u32 kattach_listed(struct dtx_env *, const char *mod, const char *func);
/* The probe is on the nth of several functions that share the name p->target, by address. */
void kattach_one_of(struct dtx_probe *, u32 nth);
/* Why can this function not be probed?  NULL: it can, or the reason is unknown. */
extern const char *const kattach_reasons[2];
const char *kattach_refusal(struct dtx_env *, const char *func);
bool kattach_protected(struct dtx_env *, const char *func);
/* the attach() of fbt, by probes[0]->kind */
int kattach(struct attach *, const struct dtx_probe **, const u64 *cookies, u32 n, int prog_fd);
void kattach_outdated(struct dtx_env *);         /* a module was loaded: lists are read again */

/* ---- provider/kernel/kernlate.c: those of modules that are loaded later ---------------------- */

/* Matches nothing now, and may match in a module. */
bool kernlate_waits(struct dtx_env *, const struct dtx_provider *, const struct dtx_pattern *);
/* The placeholder, but for its kind. */
struct dtx_probe *kernlate_probe(struct dtx_env *, const struct dtx_provider *,
				 const struct dtx_pattern *);
/* Of a function, by the map dtx_late. */
void kernlate_args(struct dtx_env *, struct dtx_probe *, bool ret);

/* ---- provider/list.c: -l and -lv; its other functions are in dtx/handle.h ------------------ */

void list_head(struct buf *);                    /* the line above the rows */
/* One probe's row; verbose adds its stability and the names and C types of its arguments. */
void list_row(struct dtx_env *, struct dtx_probe *, bool verbose, struct buf *);

/* ---- description.c: Linux spellings of descriptions ------------------------------------- */

/* The reserved word of so many fields that differs least from `word`, in at most `max` letters;
 * NULL: none. */
const char *spelling_near(const char *word, u32 nfields, unsigned max);

#endif
