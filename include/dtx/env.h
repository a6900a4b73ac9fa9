/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * env.h - the environment of a compilation and of the providers: options,
 * kernel abilities, type sources, targets, macro arguments.
 *
 * Nearly all include this: it takes no table, so that a new row of one rebuilds only its users.
 */
#ifndef DTX_ENV_H
#define DTX_ENV_H

#include "../dtx-data.h"
#include "base.h"
#include "diag.h"
#include "provider.h"
#include "type.h"

/* Options and abilities are numbers here: opt.h and feat.h have their names. */
struct options;

/* ---- the environment ------------------------------------------------------ */

struct divert;
struct machine;
struct symtabs;
struct prov_kept;

struct dtx_env {
	struct arena *arena;             /* lives as long as the handle */
	struct diags diags;              /* all messages, and the last failure */
	struct options *opts;            /* read by opt_num() and the like; opt.h */
	struct type_source *sources[4];  /* kernel BTF first; NULL-terminated */
	const struct source **texts;     /* the programs, for messages about their lines */
	u32 ntexts;
	struct programs *programs;       /* belongs to the compiling part (compiler/dtx.c), or
					  * NULL */
	int nargs;                       /* macro arguments: $0 is args[0] */
	const char **args;
	struct dtx_param *params;        /* values given for the options that scripts declare */
	u32 nparams;
	s32 target_pid;                  /* $target, the first of -c and -p; 0 if none */
	bool target_later;               /* an image gets it where it runs: $target is not known */
	bool target_grabbed;             /* it ran before: -p */
	const char *target_exe;          /* path of its executable, or NULL */
	VEC(s32) targets;                /* processes of all -c and -p, in that order */
	bool target_only;                /* trace only these processes */
	bool listing;                    /* probes are listed, not traced */
	bool names_all;                  /* messages name all that they speak of (-v) */
	bool results_used;               /* clauses may use results of functions that are listed */
	u32 ncpus;                       /* possible CPUs */
	u32 hz;                          /* jiffies per second */
	u32 pidns;                       /* inode of dtx's pid namespace; 0: the first one */
	const char *destructive;         /* first destructive action of the programs, or NULL */
	struct range destructive_at;     /* where it is */
	struct divert *divert;           /* what --live keeps from the terminal, or NULL:
					  * runtime/sink/live/divert.c */
	dtx_data_fn *data;               /* dtx_on_data(), or NULL */
	void *data_arg;
	struct machine *machine;         /* that programs are compiled for; NULL: this one */
	const char **described;          /* programs that a description is to have (--program) */
	u32 ndescribed;
	struct symtabs *sym;             /* symbol tables of the runtime, made on first use */
	signed char *feat;               /* 0 unknown, 1 yes, -1 no; read by env_has() */
	void (*prov_free)(struct dtx_env *);     /* frees what the providers keep */
	struct prov_kept *kept;          /* what their files keep: prov_cache() */
	struct arena *building;          /* of what a run does not need, as probes that were listed;
					  * NULL: nothing is compiled now */
};

/* Options, by enum opt_id (base/tables/options.c): a flag, number, size or period; a text; was it
 * set? */
s64 opt_num(const struct dtx_env *, u32 opt);
const char *opt_text(const struct dtx_env *, u32 opt);
bool opt_is_set(const struct dtx_env *, u32 opt);
s64 env_cpu(const struct dtx_env *);     /* option cpu: the only one that is traced; -1: all are */
bool env_is_quiet(const struct dtx_env *);       /* option quiet */
bool env_is_strict(const struct dtx_env *);      /* option strict */
bool env_is_raw(const struct dtx_env *);         /* option raw */
bool env_is_limited(const struct dtx_env *);     /* option maxoverhead: programs may be detached */

/* An ability of the kernel, by u32: probed once, cached.  runtime/kernel/feature.c */
bool env_has(struct dtx_env *, u32 feature);
/* Address of a kernel symbol (module NULL or "": any), 0 if there is none.  runtime/kernel/env.c */
u64 env_ksym(struct dtx_env *, const char *module, const char *name);
/* Bytes up to the next function, 0: not known. */
u64 env_ksym_size(struct dtx_env *, const char *module, const char *name);
/* Keeps a text that says what failed and what to do; returns err (negative errno). */
int dtx_env_fail(struct dtx_env *, int err, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* As file_create(), with the permissions of option outmode; -errno. */
int env_create(struct dtx_env *, const char *path, int flags);
int env_create_at(struct dtx_env *, int dir, const char *name, int flags);
/* Gives them to a file of this user, if the option is set. */
void env_output_mode(struct dtx_env *, int fd);
/* As dtx_env_fail(): "cannot write WHAT: …". */
int env_fail_write(struct dtx_env *, int err, const char *what);
int env_fail_output(struct dtx_env *, int err, int fd);  /* the same of an open file */
/* The file becomes this.  A full disk leaves one that was there as it was, and makes none.
 * `shared`: others may read a new one, as the umask says.  0 or -errno, with a failure. */
int env_put_file(struct dtx_env *, const char *path, bool shared, const void *data, size_t len);
/* The same with a tag for the diagnostic; only while descriptions are listed. */
int dtx_env_refuse(struct dtx_env *, u32 tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- the machine that a program is compiled for: runtime/machine/machine.c ------------------ */

struct utsname;

/* Is it this one, and not one that --describe recorded in a file (-x machine=FILE)?  Whoever reads
 * a file below /sys or /proc for a program that is compiled or listed reads it by these functions.
 * Why: docs/decisions/47-machines.md */
bool machine_is_here(const struct dtx_env *);
/* "web1 (Linux 6.1.0)", of this machine: "this machine". */
const char *machine_name(const struct dtx_env *);
/* As file_read(), file_access() and file_number() of this machine. */
int machine_read(struct dtx_env *, const char *path, char **text, size_t *len);
int machine_access(struct dtx_env *, const char *path, int mode);
s64 machine_number(struct dtx_env *, const char *path, s64 otherwise);
/* Calls fn with each name in a folder until it returns non-zero, and returns that. */
int machine_each(struct dtx_env *, const char *folder, int (*fn)(void *arg, const char *name),
		 void *arg);
const struct utsname *machine_uname(struct dtx_env *);
u32 machine_cpus(struct dtx_env *);              /* configured */
/* 0, or -EINVAL with a failure: DTX_OPT_MACHINE named a file that is no description. */
int machine_check(struct dtx_env *);
/* Warns, once, of what was asked and the description lacks. */
void machine_tell(struct dtx_env *);

#endif
