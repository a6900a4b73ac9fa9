/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * env.h - the environment of a compilation and of the providers: options,
 * kernel abilities, type sources, targets, macro arguments.
 */
#ifndef DTX_ENV_H
#define DTX_ENV_H

#include "../dtx-data.h"
#include "base.h"
#include "diag.h"
#include "provider.h"
#include "type.h"

/* ---- options (options.def; base/options.c) ------------------------ */

enum opt_id {
#define OPTION(name, ...) OPT_##name,
#include <dtx/tables/options.def>
#undef OPTION
	OPT_N
};

enum opt_kind { OPTK_FLAG, OPTK_INT, OPTK_SIZE, OPTK_RATE, OPTK_STR };
enum opt_when { OPTW_COMPILE, OPTW_RUN, OPTW_DYNAMIC };

struct opt_row {
	const char *name;
	enum opt_kind kind;
	enum opt_when when;
	const char *dflt;        /* text, or NULL: off / 0 / "" */
	s64 min, max;
	const char *doc;
	const char *words;       /* OPTK_STR: the allowed texts, or NULL: any */
	const char *idle;        /* why setting it changes nothing, or NULL */
	bool adds;               /* OPTK_STR: given again, the text is added */
	bool outside;            /* a pragma may not set it */
};
extern const struct opt_row opt_rows[OPT_N];

struct opt_value {
	bool set;                /* given by the user */
	bool told;               /* reported that it has no effect */
	s64 n;                   /* flag 0/1; number; bytes; nanoseconds (rates: the period) */
	const char *s;           /* OPTK_STR, OPTK_* as given */
};

struct options {
	struct opt_value v[OPT_N];
};

/* 0, -ENOENT (no such option; *near is the nearest name or NULL), -EINVAL (bad value). */
int options_set(struct options *, struct arena *, const char *name, const char *value,
		const char **near);
bool options_read(enum opt_kind, const char *text, s64 *n);      /* a value by itself */
void options_defaults(struct options *);
enum opt_id options_find(const char *name);      /* OPT_N: not found */
/* Does a sink of the run want the time of each record?  `format`: value of the option format. */
bool options_want_times(const struct options *, const char *format);
/* "a, b or c": the texts that the option allows; NULL: any text, or the option has no text. */
const char *options_words(struct arena *, const char *name);

/* ---- kernel abilities (features.def; runtime/kernel/feature.c) ------------------- */

enum feature {
#define FEATURE(id, name, doc) id,
#include <dtx/tables/features.def>
#undef FEATURE
	FEAT_N
};

/* ---- the environment ------------------------------------------------------ */

struct divert;

struct dtx_env {
	struct arena *arena;             /* lives as long as the handle */
	struct diags diags;              /* all messages, and the last failure */
	struct options opts;
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
	bool target_grabbed;             /* it ran before: -p */
	const char *target_exe;          /* path of its executable, or NULL */
	VEC(s32) targets;                /* processes of all -c and -p, in that order */
	bool target_only;                /* trace only these processes */
	bool listing;                    /* probes are listed, not traced */
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
	void *sym;                       /* symbol tables of the runtime, made on first use */
	signed char feat[FEAT_N];        /* 0 unknown, 1 yes, -1 no; use env_has() */
	void (*prov_free)(struct dtx_env *);     /* frees what the providers keep */
	void *prov_cache[48];            /* one slot per provider file, keyed by providers.def */
};

/* Reports, once, each option that was set and has no effect, and why; not with -q. */
void options_tell_idle(struct dtx_env *, struct range);

/* Probed once, cached.  runtime/kernel/feature.c */
bool env_has(struct dtx_env *, enum feature);
/* Address of a kernel symbol (module NULL or "": any), 0 if there is none.  runtime/kernel/env.c */
u64 env_ksym(struct dtx_env *, const char *module, const char *name);
/* Keeps a text that says what failed and what to do; returns err (negative errno). */
int dtx_env_fail(struct dtx_env *, int err, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same for output: "cannot write WHAT: …". */
/* As file_create(), with the permissions of option outmode; -errno. */
int env_create(struct dtx_env *, const char *path, int flags);
/* Gives them to a file of this user, if the option is set. */
void env_output_mode(struct dtx_env *, int fd);
int env_fail_write(struct dtx_env *, int err, const char *what);
/* The same with a tag for the diagnostic; only while descriptions are listed. */
int dtx_env_refuse(struct dtx_env *, enum diag_tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
