/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider.h - probes, the places of their arguments, and the vtable that every
 * provider implements.
 *
 * A provider lists the probes that match a pattern, describes their arguments
 * and where they lie (only emit_probe.c reads that), and attaches a loaded
 * program.  Between listing and attaching a probe is stored in the image, so
 * everything attach() needs is plain data in the probe.
 */
#ifndef DTX_PROVIDER_H
#define DTX_PROVIDER_H

#include "base.h"
#include "diag.h"
#include "step.h"
#include "type.h"

struct dtx_env;                  /* env.h */
struct attach;                   /* runtime/provider/attach.h */
struct proc_object;              /* runtime/provider/provider.h */

#define DTX_NO_REG 255

struct dtx_arg {
	const char *name;         /* parameter or field name; NULL: none */
	struct type *type;        /* C type; NULL: untyped (raw argN only, as int64_t) */
	const char *ctype;        /* D text of the type when `type` is NULL and this is not */
	struct type *names;       /* T_ENUM: names of its values, for %s; or NULL */
	const char *xlate;        /* D text of the stable type, or NULL: "bufinfo_t *" */
	u32 loc;                  /* enum dtx_loc: tables/loc.h */
	const char *text;         /* LOC_CALL, LOC_EXPR; LOC_NONE: reason */
	struct dtx_steps steps;   /* LOC_PLACE, LOC_VALUE */
	s64 value;                /* LOC_CONST, LOC_USERMEM, LOC_DATALOC; LOC_REG: bits to shift */
	u64 entry;                /* steps with STEP_ENTRY: where the function begins, in
				   * the file: offset, or address in an object of the kernel */
	s32 off;                  /* bytes */
	u16 size;                 /* bytes: 1, 2, 4, 8, or of the whole field for arrays */
	u8 slot;                  /* LOC_PTREGS; LOC_USERMEM: a register or DTX_NO_REG */
	u8 index, scale;          /* LOC_USERMEM: register or DTX_NO_REG, 1 2 4 8 */
	bool is_signed, user;     /* user: a pointer into user memory */
	bool trusted;             /* the verifier knows the pointer by BTF: loads need no helper */
	bool by_name;             /* only args.NAME: it has no number in args[] or argN */
};

/* What a program itself says of the arguments of its probe (usdt): D text. */
struct dtx_proto_param { const char *type, *name; };    /* name "": none */
struct dtx_proto {
	struct dtx_proto_param *native, *mapped;
	u32 nnative, nmapped;
	bool has_mapped;          /* args[] are the mapped ones */
};

/* How a program for several probes finds out which one fired. */
enum probe_ident {
	IDENT_ONE,       /* each probe has its own copy of the program (patched constant, see
			  * load.c) */
	IDENT_COOKIE,    /* attach cookie */
	IDENT_DISPATCH,  /* selector in the context: system call number */
};

/*
 * A probe of stable.def: its condition and clauses are D text over the arguments of its base
 * probe.  In args[] the arguments of the probe come first, those of the base probe after them.
 */
struct dtx_stable {
	struct dtx_probe *base;
	u32 nargs;                /* of the probe itself */
	const char *when;         /* D condition, or NULL */
	const char *help, *after; /* D clauses that run before it, and after it, or NULL */
	void *parsed;             /* check_stable.c */
};

/* The program that runs at a probe, and how it is loaded. */
struct probe_prog {
	u32 kind;                 /* progkind.h */
	enum probe_ident ident;
	const char *hook;         /* probes with equal kind and hook share one attachment
				   * (IDENT_DISPATCH); else NULL */
	u32 btf_id;               /* BTF id to load with (fentry, tp_btf), or 0 */
	u32 btf_obj_id;           /* kernel id of the BTF object (modules), or 0: vmlinux */
};

/* Where a probe fires: what attach() needs.  The meaning of most belongs to the provider. */
struct probe_place {
	const char *target;       /* function, event name, path of an object … */
	const char *sym;          /* symbol in the object, not in the image, or NULL; of the kernel:
				   * several functions share the name, and this is number `site`
				   * of them */
	u32 site;                 /* a probe with several places in the code has one struct per
				   * place, with the same id and name; the first is 0 */
	u32 past;                 /* the probe is so many bytes after `off`, where it costs
				   * less: entry of a user function, USDT site with two nops */
	u64 off;                  /* offset in the object, or address */
	s64 num;                  /* event id, period in ns, system call number … */
	u64 ref_ctr;              /* offset in the object of the USDT semaphore, 0: none */
	s32 pid;                  /* only this process; 0 or -1: all */
	bool is_syscall_return;   /* errno is meaningful */
	bool user_ctx;            /* fires from user code: str() reads user memory */

	/* Not in the image. */
	bool no_filter;           /* fires for no process in particular: -p, --comm … do not
				   * apply */
	bool is_compat;           /* a system call of 32-bit programs */
	u64 entry;                /* keeps registers of a kernel function: its dtx_arg.entry */
	u64 begin;                /* user function: where it begins, if not at `off` */
	const struct dtx_guard *guard;          /* fires only sometimes; NULL: always */
	const struct dtx_guard *waits;          /* the guard if clauses use the result, NULL: the
						 * same */
	bool for_result;          /* fires only if they do */
};

/*
 * What is known of the arguments of a probe, and what a clause asks for.  One that takes argN asks
 * for ARGS_RAW: then args() of probes in programs need not look for types, which is dear.  The
 * first that takes args[] or a name asks for ARGS_TYPED, and args() is called again.  Nothing that
 * is known is forgotten.
 */
enum args_state { ARGS_UNKNOWN, ARGS_RAW, ARGS_TYPED };

/* The arguments of a probe: filled by args() of its provider, as `state` says. */
struct probe_args {
	struct dtx_arg *v;
	enum args_state state;
	u32 n;
	u32 mapped_at;            /* argN are those in front of it, args[] those from it on;
				   * 0: one list */
	s32 ret;                  /* index of the return value for `retval`, -1: none */
	s32 takes;                /* argN from this one on mean nothing; -1: not known */
	bool untyped;             /* argN exist, args[] does not (D_ARGS_NONE) */
	const char *why;          /* why they have no types, a sentence; NULL: nothing is known */
	const char *lack;         /* why they have no debugging information; NULL: unknown */
	const struct dtx_proto *proto;          /* what the program says; NULL: nothing */
};

struct dtx_probe {
	const struct dtx_provider *provider;    /* who attaches it (of the base probe, if stable) */
	u32 id;                   /* as -l prints it; constant while the kernel runs.
				   * providers.def has a base for each provider; BEGIN 1,
				   * END 2, ERROR 3 */
	bool late;                /* stands for those that come later: the fields are patterns */
	const char *prov, *mod, *func, *name;   /* the four fields; "" if empty */
	struct probe_prog prog;
	struct probe_place place;
	struct probe_args args;
	struct dtx_stable *stable;              /* NULL: the probe is its own place */
	const void *own;          /* private to the provider, from list() to args(); not in the
				   * image */
};

/* A probe description as four fields; Linux spellings are already rewritten. */
struct dtx_pattern {
	const char *prov, *mod, *func, *name;   /* never NULL; globs; "" matches everything */
	u32 id;                   /* != 0: only this probe */
	bool many;                /* `func` is a glob */
};

/* What clauses take of the place where a probe fires: bits. */
#define NEED_REGS    1           /* its registers: reg() */
#define NEED_KSTACK  2           /* the kernel's stack: stack(), stackdepth, caller */
#define NEED_PC      4           /* any register of the program: uregs[] */
#define NEED_USTACK  8           /* the program's stack: ustack(), ustackdepth, ucaller */

/* Returning non-zero stops the listing; list() returns it. */
typedef int dtx_probe_fn(void *arg, struct dtx_probe *);

/* "pid123": probes are made on demand.  runtime/provider/common.c */
bool prov_is_pid(const char *name);

/* Attached links of one probe: heap memory owned by the session. */
struct dtx_link {
	int *fds;
	u32 n;
};

struct dtx_provider {
	const char *name, *doc;
	/*
	 * Calls `each` for every probe that matches.  Probes and strings live as long as the
	 * environment or, while a program is compiled, as that.  kind and ident must be final: the
	 * provider may count the matches first (fentry for few, kprobe.multi for many).
	 * Returns 0, the non-zero value of `each`, or -errno with dtx_env_fail().
	 */
	int (*list)(struct dtx_env *, const struct dtx_pattern *, dtx_probe_fn *each, void *arg);
	/* Fills p->args as its state says; called only when needed. */
	int (*args)(struct dtx_env *, struct dtx_probe *);
	/*
	 * A name that none of the arguments has: adds an argument of that name, only by name, if
	 * there is a variable (a global of the program).  Its index is the same for all probes.
	 * May be NULL.
	 */
	bool (*named)(struct dtx_env *, struct dtx_probe *, const char *name);
	/*
	 * No argument of the probe is used: chooses a cheaper attachment if possible
	 * (changes `prog`).  May be NULL.  0 or -errno.
	 */
	int (*without_args)(struct dtx_env *, struct dtx_probe *);
	/*
	 * The clauses take what `needs` (NEED_*) says: chooses an attachment that has it, or gives
	 * it for less (changes `prog`).  Before args().  May be NULL.
	 */
	void (*for_needs)(struct dtx_env *, struct dtx_probe *, u32 needs);
	/*
	 * The probe that keeps registers for an argument of `p` with dtx_arg.entry: at this place
	 * of the same object, for the same processes.  May be NULL where no argument has one.
	 */
	struct dtx_probe *(*entry)(struct dtx_env *, const struct dtx_probe *p, u64 off);
	/*
	 * All probes of the program with one hook, which share an attachment: gives each of them
	 * one of its own if the machine pays less then (changes `prog`, place.num and the
	 * places of arguments).  After typing.  May be NULL.
	 */
	void (*split)(struct dtx_env *, struct dtx_probe **, u32 n);
	/*
	 * Attaches program `prog_fd` to n probes that share it (n == 1 unless cookies
	 * or dispatch).  cookies[i] is the cookie for probes[i].  A probe that cannot
	 * be attached is passed to attach_refuse(at, probe, reason) and is not fatal.
	 * 0 or -errno (nothing attached at all).
	 */
	int (*attach)(struct attach *, const struct dtx_probe **probes,
		      const u64 *cookies, u32 n, int prog_fd);
	/*
	 * With -Z: what stands for the probes that the pattern will match in programs and
	 * libraries of later (dtx_probe.late), NULL: there are none.  May be NULL.
	 */
	struct dtx_probe *(*late)(struct dtx_env *, const struct dtx_pattern *);
	/* Those of an object that the process `pid` has mapped; as list(). */
	int (*list_object)(struct dtx_env *, const struct dtx_pattern *, s32 pid,
			   const struct proc_object *, dtx_probe_fn *each, void *arg);
	/* Those that a placeholder in the kernel stands for, of its kind, in the modules that are
	 * loaded now; as list().  With `late` there is this one or list_object. */
	int (*list_modules)(struct dtx_env *, const struct dtx_probe *placeholder,
			    dtx_probe_fn *each, void *arg);
	/* Why the provider is not available here, as a sentence; NULL: it is.  May be NULL. */
	const char *(*missing)(struct dtx_env *);
	/* What the user must know of the probes that the pattern matches, `p` first; NULL: nothing.
	 * May be NULL. */
	const char *(*remark)(struct dtx_env *, const struct dtx_pattern *,
			      const struct dtx_probe *p);
	/* For -lv: what else is known of the probe, lines of text; NULL: nothing.  May be NULL. */
	const char *(*about)(struct dtx_env *, const struct dtx_probe *);
	/* Nothing matches: what is wrong with this pattern, as a sentence; NULL: unknown.
	 * May be NULL. */
	const char *(*advise)(struct dtx_env *, const struct dtx_pattern *);
};

/* providers.def, in match order; NULL-terminated.  runtime/provider/provider.c */
extern const struct dtx_provider *const dtx_providers[];

/* Rewritten spelling of a Linux-style description ("kprobe:f", "tracepoint:g:e",
 * "profile:hz:99", "uprobe:/bin/bash:readline" …) or of a D one.  Fields in `a`.
 * `nalign`: the field at which the description ends (4 for -n and scripts; 3 -f, 2 -m, 1
 * -P).  *err is NULL, or a sentence on failure. */
int provider_parse(struct arena *a, const char *text, u32 nalign, struct dtx_pattern *out,
		   const char **err);

/* Is "::" part of names after this provider, as in uprobe:PATH:ns::f?  `word`: the provider, or a
 * description that begins with it. */
bool provider_has_scopes(const char *word);

/* Forgets which files running processes have mapped: it is looked up once for all descriptions of a
 * program. */
void provider_look_anew(struct dtx_env *);
/* A module of the kernel was loaded: lists of functions, events and types are read again. */
void provider_modules_anew(struct dtx_env *);
/* All providers whose name matches, in order.  Counts matches in *n. */
int provider_list(struct dtx_env *, const struct dtx_pattern *, dtx_probe_fn *each, void *arg);
/* Asks for the arguments; once, or once more for their types.  1: they were asked for now; 0: as
 * much is known; or -errno. */
int provider_args(struct dtx_env *, struct dtx_probe *, enum args_state);
const struct dtx_provider *provider_by_name(const char *);
/* "name/data/class" of one field of a provider's probes, from stability.def.  Static. */
enum { STAB_PROVIDER, STAB_MODULE, STAB_FUNCTION, STAB_NAME, STAB_ARGS, STAB_N };
const char *provider_stability(const char *provider, u32 field);
/* Why nothing matches the pattern, as a sentence; NULL: unknown. */
const char *provider_missing(struct dtx_env *, const struct dtx_pattern *);
/* A stable probe that fires at fewer places than elsewhere, as no function can be probed here: says
 * so; NULL: it does not. */
const char *provider_partly(struct dtx_env *, const struct dtx_probe *);
/* Has it probes that can be listed?  Patterns have none. */
bool provider_has_probes(struct dtx_env *, const char *provider);
/* Up to `max` descriptions near the pattern for did-you-mean, best first. */
u32 provider_nearest(struct dtx_env *, const struct dtx_pattern *, const char **out, u32 max);

#endif
