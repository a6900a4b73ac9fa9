/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider.h - probes, where their arguments are, and the vtable behind which
 * every event source lives.
 *
 * A provider lists probes that match a pattern, tells on demand what their
 * arguments are and where they lie (emit_probe.c is the only reader of that),
 * and attaches a loaded program.  Between listing and attaching a probe passes
 * through the image, so everything attach() needs is plain data in the probe.
 */
#ifndef DTX_PROVIDER_H
#define DTX_PROVIDER_H

#include "base.h"
#include "diag.h"
#include "type.h"

struct dtx_env;                  /* env.h */
struct attach;                   /* runtime/provider/attach.h */

/* Program kinds: rows of progkinds.def (BPF program type, context shape, cookie). */
enum prog_kind {
#define PROGKIND(id, ...) id,
#include "progkinds.def"
#undef PROGKIND
	PK_N
};

/* Where an argument lies.  `ctx` is the program's context pointer. */
enum dtx_loc {
	LOC_NONE,    /* not available: reads 0; with `text` (why not) it cannot be used */
	LOC_CTX,     /* `size` bytes at ctx + off (tracepoint fields, fentry and raw_tp slots) */
	LOC_REG,     /* struct pt_regs slot at byte `off`, from bit `value` on; ctx is a pt_regs
		      * (kprobe, uprobe, perf) */
	LOC_STACK,   /* `size` bytes at stack pointer + off; user stack when `user` */
	LOC_PTREGS,  /* pt_regs behind the pointer in context slot `slot`: its byte `off`
		      * (system calls: sys_enter's first argument) */
	LOC_USERMEM, /* `size` bytes of user memory at register `slot` + register `index` × `scale`
		      * + `value`; registers are numbered by their place in struct pt_regs */
	LOC_DATALOC, /* u32 at ctx + off is (length << 16 | offset) of the data, from ctx + `value`
		      */
	LOC_CONST,   /* the number `value` */
	LOC_CALL,    /* function `text` of the BPF library, called with the context */
	LOC_EXPR,    /* D expression `text` over the base probe */
};

#define DTX_NO_REG 255

struct dtx_arg {
	const char *name;         /* parameter or field name; NULL: none */
	struct type *type;        /* C type; NULL: untyped (raw argN only, as int64_t) */
	const char *ctype;        /* D text of the type when `type` is NULL and this is not */
	struct type *names;       /* T_ENUM: names of its values, for %s; or NULL */
	const char *xlate;        /* D text of the stable type, or NULL: "bufinfo_t *" */
	enum dtx_loc loc;
	const char *text;         /* LOC_CALL, LOC_EXPR */
	s64 value;                /* LOC_CONST, LOC_USERMEM, LOC_DATALOC; LOC_REG: bits to shift */
	s32 off;                  /* bytes */
	u16 size;                 /* bytes: 1, 2, 4, 8, or of the whole field for arrays */
	u8 slot;                  /* LOC_PTREGS; LOC_USERMEM: a register or DTX_NO_REG */
	u8 index, scale;          /* LOC_USERMEM: register or DTX_NO_REG, 1 2 4 8 */
	bool is_signed, user;     /* user: a pointer into user memory */
	bool trusted;             /* pointer the verifier knows by BTF: loads need no helper */
	bool by_name;             /* args.NAME alone: no number of args[] or argN stands for it */
};

/* How a program that serves several probes learns which one fired. */
enum probe_ident {
	IDENT_ONE,       /* needs its own copy of the program (patched constant, see load.c) */
	IDENT_COOKIE,    /* attach cookie */
	IDENT_DISPATCH,  /* selector in the context: system call number */
};

/*
 * A probe of stable.def: the place it is made of, and what is D text over that place's arguments.
 * The arguments of the probe come first in args[], those of the base probe behind them.
 */
struct dtx_stable {
	struct dtx_probe *base;
	u32 nargs;                /* of the probe itself */
	const char *when;         /* D condition, or NULL */
	const char *help;         /* D clauses that run before, or NULL */
	void *parsed;             /* check_stable.c */
};

struct dtx_probe {
	const struct dtx_provider *provider;    /* who attaches it (of the base probe, if stable) */
	struct dtx_stable *stable;              /* NULL: the probe is its own place */
	u32 id;                   /* as -l prints it; stable on a running kernel.  Bases per
				   * provider in providers.def; BEGIN 1, END 2, ERROR 3 */
	const char *prov, *mod, *func, *name;   /* the four fields; "" if empty */
	enum prog_kind kind;
	enum probe_ident ident;
	u32 site;                 /* places in the code that are one probe, with one id and one
				   * name, are structs of their own; the first is 0 */
	const char *hook;         /* probes with equal kind and hook share one attachment
				   * (IDENT_DISPATCH); else NULL */

	/* What attach() needs; the meaning belongs to the provider. */
	const char *target;       /* function, event name, path of an object … */
	const char *sym;          /* symbol in the object, or NULL */
	u64 off;                  /* offset in the object, or address */
	s64 num;                  /* event id, period in ns, system call number … */
	u64 ref_ctr;              /* offset in the object of the counter of users, 0: none */
	s32 pid;                  /* only this process; 0 or -1: all */
	u32 btf_id;               /* BTF id to load with (fentry, tp_btf), or 0 */
	u32 btf_obj_id;           /* kernel id of the BTF object (modules), or 0: vmlinux */

	const void *own;          /* the provider's, from list() to args(); not in the image */

	/* Filled by args(). */
	struct dtx_arg *args;
	u32 nargs;
	u32 mapped_at;            /* argN are those in front of it, args[] those from it on;
				   * 0: one list */
	bool args_known;          /* args() was called */
	bool args_raw;            /* argN is all that is wanted so far: args() need not look for
				   * types, and is called again when they are wanted */
	bool args_untyped;        /* argN exist, args[] does not (D_ARGS_NONE) */
	s32 ret_arg;              /* index of the return value for `retval`, -1: none */
	bool is_syscall_return;   /* errno is meaningful */
	bool is_compat;           /* a system call of 32-bit programs; not in the image */
	bool no_filter;           /* fires for nobody in particular: -p, --comm … do not apply */
	bool user_ctx;            /* fires from user code: str() reads user memory */
};

/* A probe description, after Linux spellings were rewritten to the four fields. */
struct dtx_pattern {
	const char *prov, *mod, *func, *name;   /* never NULL; globs; "" matches anything */
	u32 id;                   /* != 0: this probe only */
	bool many;                /* out of list(): see dtx_provider.list */
};

/* Non-zero stops the listing and is returned by list(). */
typedef int dtx_probe_fn(void *arg, struct dtx_probe *);

/* Attached links of one probe: heap memory owned by the session. */
struct dtx_link {
	int *fds;
	u32 n;
};

struct dtx_provider {
	const char *name, *doc;
	/*
	 * Call `each` for every probe that matches.  Probes and strings live in the
	 * environment's arena.  kind/ident must be final: the provider may look at
	 * how many match (fentry for few, kprobe.multi for many).
	 * 0, the non-zero value of `each`, or -errno with dtx_env_fail().
	 */
	int (*list)(struct dtx_env *, const struct dtx_pattern *, dtx_probe_fn *each, void *arg);
	/* Fill args, nargs, ret_arg …; called once a probe, only when needed. */
	int (*args)(struct dtx_env *, struct dtx_probe *);
	/*
	 * No argument of the probe is used: choose a cheaper attachment, if there is one
	 * (changes kind, ident, hook, btf_id).  May be NULL.  0 or -errno.
	 */
	int (*lighten)(struct dtx_env *, struct dtx_probe *);
	/*
	 * Attach program `prog_fd` to n probes that share it (n == 1 unless cookies or
	 * dispatch).  cookies[i] is the number the program must see for probes[i].
	 * A probe that cannot be attached is passed to attach_refuse(at, probe, reason)
	 * and is not fatal.  0 or -errno (nothing attached at all).
	 */
	int (*attach)(struct attach *, const struct dtx_probe **probes,
		      const u64 *cookies, u32 n, int prog_fd);
	/* Why the provider is not available here (sentence), NULL if it is; may be NULL. */
	const char *(*missing)(struct dtx_env *);
	/* Nothing matches: what is wrong with this pattern (sentence), NULL unknown; may be
	 * NULL. */
	const char *(*advise)(struct dtx_env *, const struct dtx_pattern *);
};

/* providers.def, in match order; NULL-terminated.  runtime/provider/provider.c */
extern const struct dtx_provider *const dtx_providers[];

/* Rewritten spelling of a Linux-style description ("kprobe:f", "tracepoint:g:e",
 * "profile:hz:99", "uprobe:/bin/bash:readline" …) or of a D one.  Fields in `a`.
 * `nalign`: fields the right-alignment ends at (4 for -n and scripts; 3 -f, 2 -m, 1 -P).
 * NULL in *err if fine, else a sentence. */
int provider_parse(struct arena *a, const char *text, u32 nalign, struct dtx_pattern *out,
		   const char **err);

/* All providers whose name matches, in order.  Counts matches in *n. */
int provider_list(struct dtx_env *, const struct dtx_pattern *, dtx_probe_fn *each, void *arg);
int provider_args(struct dtx_env *, struct dtx_probe *);   /* once; sets args_known */
const struct dtx_provider *provider_by_name(const char *);
/* "name/data/class" of one field of a provider's probes: what stability.def says.  Static. */
enum { STAB_PROVIDER, STAB_MODULE, STAB_FUNCTION, STAB_NAME, STAB_ARGS, STAB_N };
const char *provider_stability(const char *provider, u32 field);
/* Why nothing matches the pattern (sentence), NULL: unknown. */
const char *provider_missing(struct dtx_env *, const struct dtx_pattern *);
/* Up to `max` descriptions near the pattern for did-you-mean, best first. */
u32 provider_nearest(struct dtx_env *, const struct dtx_pattern *, const char **out, u32 max);

#endif
