/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - the manifest: what the bytes of a compiled program mean.
 *
 * The compiler's plan *is* these structs (compiler/plan/layout.c fills them),
 * and the manifest section is their JSON text.  The runtime reads it back into
 * the same structs, in its own arena, and checks every index and offset.
 *
 *   ELF section  ".dtx.manifest"   JSON text
 *                .maps             maps named here
 *                "dtx/N"           code of program N (function dtx_prog_N)
 */
#ifndef DTX_IMAGE_H
#define DTX_IMAGE_H

#include "base.h"
#include "abi.h"
#include "provider.h"

#define IMG_VERSION      3
#define IMG_SECTION      ".dtx.manifest"
#define IMG_KSYMS        ".data.dtxksyms"
#define IMG_SCRIPT       ".dtx.script"   /* the head comment and the options of the scripts */

#define AGG_CONSTS_MAX   4               /* constants of an aggregating function */
#define IMG_AGG_MAX      (1u << 20)      /* bytes of an aggregation's value */
#define IMG_WIDTH_MAX    10000000        /* of a conversion, and its precision; larger ones are
					  * cut */

/* What the bytes of a field mean. */
enum img_ftype {
	IMG_INT,         /* size bytes, is_signed */
	IMG_STR,         /* record: struct dtx_strref; key: `size` bytes, zero-padded */
	IMG_BYTES,       /* size raw bytes (struct, array, float) */
	IMG_STACK,       /* struct dtx_stackref; user */
	IMG_SYM,         /* struct dtx_symref; symkind */
};

struct img_field {
	enum img_ftype type;
	u32 off;                 /* from the start of the record or key */
	u32 size;                /* bytes in the fixed part or key */
	bool is_signed;
	bool is_char;            /* char: %c and trace() care */
	bool is_ptr;
	bool is_float;
	bool user;               /* user address, user stack */
	const char *symkind;     /* IMG_SYM: "func" "sym" "mod" "usym" "ufunc" "umod" "uaddr",
				  * or a kind of runtime/stack/shown.c, followed by a format */
	u32 depth;               /* IMG_STACK: the most frames; selects the stack map */
	u32 str_max;             /* IMG_STR in a record: largest length with the NUL */
	const char *ctype;       /* D text of the type (print(), JSON), or NULL */
	const char *name;        /* what was recorded, as the program says it: "execname",
				  * "args[0]->pr_pid"; unique in its action or key; NULL: an old
				  * image */
	const char *unit;        /* "ns", "us", "ms", "s", "bytes", or NULL */
	u32 objtype;             /* print(): index in img.types + 1; 0: known by its name */
	struct type *obj;        /* that type (not in the manifest: runtime/image/imgtype.c) */
};

/* A type that print() shows and that the runtime cannot find by its name (type.h). */
struct img_member {
	const char *name;        /* NULL: anonymous */
	u32 type;                /* index + 1, as all here; smaller than its own */
	u32 bit_off, bit_size;
};

struct img_enum {
	const char *name;
	s64 value;
};

struct img_type {
	u32 kind;                /* enum type_kind */
	const char *name;
	u64 size;
	u32 to, count;
	bool is_signed, is_char, is_bool, is_const, variadic, is_flags;
	struct img_member *members;  /* parameters of a function */
	u32 nmembers;
	struct img_enum *enums;
	u32 nenums;
	const struct type *node; /* compiler/plan/layout_type.c: the compiler's type, */
	bool named;              /* and whether only its name is kept */
};

/* One piece of an action's format string, checked at compile time (convs.def). */
struct img_conv {
	const char *text;        /* literal text before the conversion, %% already resolved */
	const char *conv;        /* "d" "s" "k" "Y" … ; NULL: only literal text (last piece) */
	const char *flags;       /* subset of "-0+ #'?@" */
	s32 width, prec;         /* -1: none */
	bool width_arg, prec_arg;    /* '*': taken from the next field */
	const char *size;        /* "", "h", "l", "ll", "L" as written */
};

/* One statement whose data reach the consumer, in program order within its site. */
struct img_action {
	const char *name;        /* name of the row in builtins.def: "trace" "printf" "exit" … */
	struct img_field *fields;
	u32 nfields;
	struct img_conv *convs;  /* printf, printa with a format, system, freopen */
	u32 nconvs;
	u32 *aggs;               /* printa, clear, trunc, normalize …: indices into aggs */
	u32 naggs;
	const char *str;         /* constant text argument (setopt's name …), or NULL */
	s64 num;                 /* constant number argument */
	s64 div;                 /* printa of print(@a, num, div): values are divided by it; 0: not
				  * divided */
	bool has_num;
	bool has_format;
	u32 ran_off;             /* record byte that is not 0 when the statement ran (inside an
				  * if); 0: it always runs */
	u32 place;               /* of an action that can fail: in places, from 1; 0: not kept */
};

/* A clause on one set of probes: one record per firing. */
struct img_site {
	u32 clause;              /* number of the clause in compile order, from 0 */
	const char *said;        /* its descriptions, as the program has them; NULL: not kept */
	const char *file;        /* for messages; NULL: a clause of the library */
	u32 line, column;
	struct img_action *actions;
	u32 nactions;
	u32 rec_size;            /* fixed part with the header; 0: records nothing */
	u32 time_off;            /* of its struct dtx_rectime; 0: none */
	u32 frame_off;           /* of the frame of a call (u64, as struct event has it); 0: none */
	bool record;             /* data-recording: prints a line when not quiet */
	bool is_default;         /* empty body: a line without data */
	bool aggregates;         /* somewhere in its body */
	bool narrowed;           /* the probe itself has a condition, and there is no predicate */
	const char *pred;        /* the predicate as the program has it; NULL: none */
	u32 *runs;               /* its probes: first and last index of each run of them */
	u32 nruns;               /* the length of `runs`: even */
	bool runs_more;          /* there are others between them */
};

/* An expression that can fault, where the user wrote it. */
struct img_place {
	const char *file;
	u32 line, column;
	const char *text;
};

struct img_agg {
	const char *name;        /* without '@' ; "_" for @ alone */
	const char *func;        /* row of aggs.def */
	const char *map;         /* name of its map */
	bool keyed;
	struct img_field *keys;  /* offsets in the key; hidden keys do not exist */
	u32 nkeys;
	u32 key_size;            /* bytes, multiple of 8; keyless: 4, the index 0 */
	u32 cpu_off, cpu_size;   /* of the CPU number, within the keys or after them: abi.h */
	u32 val_size;            /* bytes, with the leading `used` word when keyless */
	u32 val_room;            /* bytes that its maps have for a value: at least val_size */
	s64 params[AGG_CONSTS_MAX];      /* its constants, in the order of the signature */
	u32 nparams;
	const char *arg;         /* what it aggregates, as the program says it; NULL: nothing */
	const char *unit;        /* of `arg`, or NULL */
	u64 each;                /* count() at profile-N alone: ns that a sample stands for */
};

/* Name of a keyed aggregation's second map, for entries that do not fit the first. */
static inline char *img_agg_reserve(struct arena *a, const struct img_agg *agg)
{
	return arena_printf(a, "%s_r", agg->map);
}

/* Its second pair of maps, used in turns with the first, if rows are taken out of them. */
static inline char *img_agg_turn(struct arena *a, const struct img_agg *agg, bool reserve)
{
	return arena_printf(a, "%s_%s", agg->map, reserve ? "tr" : "t");
}

/* Bytes of a key in its maps: the tuple and the CPU number. */
static inline u32 img_agg_map_key(const struct img_agg *agg)
{
	return agg->keyed ? MAX(agg->key_size, ALIGN_UP(agg->cpu_off + agg->cpu_size, 8))
			  : agg->key_size;
}

struct img_map {
	const char *name;
	u32 role;                /* tables/maprole.h */
	u32 type;                /* BPF_MAP_TYPE_* */
	u32 key_size, val_size;  /* bytes */
	u32 max_entries;         /* 0: the loader decides by role and options */
	u32 flags;
	const char *shelf;       /* the map of maps that holds it, at `slot`; NULL: programs name
				  * the map itself */
	u32 slot;
};

/* One BPF program; loaded once, or once per probe (IDENT_ONE with several probes). */
struct img_prog {
	const char *name;        /* function in the object */
	const char *section;     /* ELF section, "dtx/N" */
	u32 kind;                /* progkind.h */
	enum probe_ident ident;
	u32 *probes;             /* indices into img.probes */
	u32 nprobes;
	u32 order;               /* attach order among the programs of one probe */
	bool saves;              /* keeps registers for others (compiler/plan/entry.c) */
};

struct img_need {
	const char *feature;     /* name in features.def */
};

/* A kernel object the program reads: word i of the section IMG_KSYMS is its address. */
struct img_ksym {
	const char *module;      /* NULL: any */
	const char *name;
};

struct img_option {
	const char *name, *value;    /* run-time options set by pragmas of the program */
};

/* Matched probes per program text, for "description 'x' matched N probes". */
struct img_desc {
	const char *text;
	bool is_script;
	u32 nprobes;
	const char *stability;   /* text of -v */
};

/* An object file; the code holds addresses in it. */
struct img_file {
	const char *path;
	u64 size;                /* bytes */
	s64 mtime;               /* ns since the epoch */
};

struct img {
	struct arena *arena;
	u32 version;             /* IMG_VERSION */
	u32 abi;                 /* DTX_ABI_VERSION */

	/* What an image in a file was made for (imgkeep.c); else unset. */
	const char *kernel;      /* release, version, hash of the notes; NULL: not for a file */
	const char *boot;        /* boot id; NULL: valid for every boot of that kernel */
	u32 pidns;               /* dtx_env.pidns */
	struct img_file *files;
	u32 nfiles;

	u32 strsize;             /* bytes without the NUL */
	const char **needs;      /* names in features.def */
	u32 nneeds;
	struct img_option *options;
	u32 noptions;
	struct img_desc *descs;
	u32 ndescs;
	struct dtx_probe *probes;    /* args are not in the manifest; read by img_probe() */
	u32 nprobes;
	struct img_prog *progs;
	u32 nprogs;
	struct img_site *sites;
	u32 nsites;
	struct img_place *places;
	u32 nplaces;
	struct img_agg *aggs;    /* in order of first definition */
	u32 naggs;
	struct img_map *maps;
	u32 nmaps;
	struct img_ksym *ksyms;
	u32 nksyms;
	struct img_type *types;
	u32 ntypes;
	bool destructive;        /* uses destructive actions */
	bool no_target;          /* a description names $target, and there was none */
	bool hostname;           /* reads the built-in of this name */
	bool late;               /* some probes stand for others, which are added as they come */
	s32 begin_prog, end_prog;    /* the first PK_TESTRUN programs, -1: none; see
				      * img_prog.order */

	/* Not part of the JSON. */
	struct arena *names;         /* the functions of `probes` are in it, and nothing else */
	struct img_packed *packed;   /* NULL: all rows of `probes` are there */
	const char *script;          /* text of IMG_SCRIPT, or NULL */
	const char *text;            /* the manifest as it was read */
	size_t text_len;
	const void *elf;             /* the object */
	size_t elf_len;
	struct dtx_probe *
		*listed; /* for -l: what each description matched, in the order of the programs */
	u32 nlisted;
};

/* NULL: none of this name. */
static inline struct img_map *img_map_named(const struct img *img, const char *name)
{
	for (u32 i = 0; i < img->nmaps; i++)
		if (!strcmp(img->maps[i].name, name))
			return &img->maps[i];
	return NULL;
}

/* runtime/provider/packed.c: packs the rows of many probes when they have been attached.  Pointers
 * to rows are good again when img_probe() has been called for them. */
void img_pack(struct img *);
const struct dtx_probe *img_packed_probe(const struct img *, u32 i);

static inline const struct dtx_probe *img_probe(const struct img *img, u32 i)
{
	return img->packed ? img_packed_probe(img, i) : &img->probes[i];
}

/* Its index, which records have. */
static inline u32 img_probe_at(const struct img *img, const struct dtx_probe *p)
{
	return (u32)(p - img->probes);
}

/* Rows of the loss maps: one per probe, or one per program if there are too many probes. */
static inline bool img_losses_by_probe(const struct img *img)
{
	return img->nprobes <= DTX_DROP_PROBES && !img->late;
}

static inline u32 img_loss_rows(const struct img *img)
{
	return img_losses_by_probe(img) ? img->nprobes : img->nprogs;
}

/* Bytes of a text of struct dtx_late that programs see, with the NUL. */
static inline u32 img_late_text(u32 strsize)
{
	return ALIGN_UP(MIN((u32)DTX_LATE_TEXT, strsize + 1), 8);
}

/* compiler/plan/manifest.c: JSON text of the plan, in the arena. */
char *img_write(const struct img *, struct arena *, size_t *len);
/* runtime/image/image.c: parses and validates; NULL with the reason as the failure of the diags. */
struct img *img_read(struct arena *, struct diags *, const void *elf, size_t len);
/* runtime/image/imgelf.c: does its code call one of these helpers of the kernel, or functions of it
 * (kfuncs), which no program of dtx calls? */
bool img_calls(const struct img *, const u32 *helpers, u32 n);
/* runtime/image/imgkeep.c: what follows the object in a file, a hash of all its bytes. */
struct img_seal {
	char magic[8];           /* "DTXHASH1" */
	u64 hash;
};
struct img_seal img_seal(const void *elf, size_t len);
/* Takes the seal away from the length; NULL, or what is wrong. */
const char *img_unseal(const void *file, size_t *len);
/* runtime/image/imgsign.c: adds what stands between the object and the seal.  0 or -errno, with a
 * failure. */
int img_sign(struct dtx_env *, const char *key, const void *elf, size_t len, struct buf *);
/* Reads a file of --image; NULL with a failure.  The image points into *bytes, malloc'd.
 * `signers`: one of those in this file has to have signed it (ALLOWED SIGNERS of ssh-keygen(1)), or
 * NULL. */
struct img *img_of_file(struct dtx_env *, const char *path, const char *signers, char **bytes);
/* Are the options that were given harmless for a signed image?  0, or -EPERM with a failure. */
int img_trust_options(struct dtx_env *, const struct img *);
/* The text of IMG_SCRIPT, within the bytes of the image; false: it has none. */
bool img_script(const void *elf, size_t len, const char **text, size_t *text_len);

/* The same of a manifest alone, which no object belongs to: what a recording was made of. */
struct img *img_read_text(struct arena *, struct diags *, const char *text, size_t len);

/* runtime/image/imgkeep.c: records in the image what it is made for, and with which options. */
void img_bind(struct dtx_env *, struct img *);

/* ---- programs that were compiled before: imgcache.c ---- */

/*
 * Before a program is compiled: `asked` is all that it is made of, the text of its programs,
 * options and operands.  Looks for what was made of the same, here and now; else notes what is
 * looked at.  NULL: nothing is kept of it.
 */
struct img_cache;
struct img_cache *img_cache_open(struct dtx_env *, const struct buf *asked);
/* The object that was found, in memory of the compilation; the environment gets the options of its
 * pragmas.  NULL: none. */
const void *img_cache_found(const struct img_cache *, size_t *len);
/* After that: keeps what was made instead, if it may be used again; NULL: nothing was made. */
void img_cache_close(struct img_cache *, const struct img *made);

/* Does the image fit this machine?  NULL, or why it cannot run (arena of the environment). */
const char *img_misfit(struct dtx_env *, const struct img *);
/* Sets the options of the image, except those already given.  A compiled-in option may not
 * be given another value.  0 or -errno. */
int img_apply_options(struct dtx_env *, const struct img *);
/* runtime/image/imgshow.c: what it holds, as text. */
void img_show(struct dtx_env *, const struct img *, struct buf *);

#endif
