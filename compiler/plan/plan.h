/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.h - matches the probe descriptions, groups clauses into programs, and lays out all data.
 *
 * compiler/plan/ includes front.h and check.h.  No later pass decides a size.
 */
#ifndef DTX_PLAN_H
#define DTX_PLAN_H

#include "compiler/check/check.h"

/* ---- probe.c, group.c: what the descriptions match ------------------------------------------ */

bool probe_expand(struct comp *);                /* clauses → insts, via provider_list() */
/* Makes programs: probes with the same kind and clause list (and argument places, if used) share
 * one. */
bool probe_group(struct comp *);
/* Is it the entry or the return of a function of a program? */
bool probe_at_call(const struct dtx_probe *);

struct prog {
	u32 index;                   /* in img->progs */
	u32 kind;                /* progkind.h */
	enum probe_ident ident;
	struct dtx_probe **probes;
	u32 nprobes;
	/* IDENT_DISPATCH: groups of probes with their own clause lists; else one group. */
	struct prog_group {
		struct dtx_probe **probes;
		u32 nprobes;
		struct inst **insts;     /* clauses in program order */
		u32 ninsts;
	} *groups;
	u32 ngroups;
	u32 order;                   /* attach order among programs of the same probes */
	u32 nodes;                   /* IDENT_DISPATCH: of its clauses */
	bool saves;                  /* entry.c: keeps registers, and has no clauses */
	bool large;                  /* weight.c: compiled so that paths meet again */
	struct prog *next;
};

#define ID_ERROR  3                      /* of the probe: providers.def */

/* Index of a probe in img->probes; ~0: it is not there. */
u32 probe_index(struct comp *, const struct dtx_probe *);

/* The probe in comp->probes with its id and site, which it is added to if there is none. */
struct dtx_probe *probe_known(struct comp *, struct dtx_probe *);

/* unmatched.c: the error of a description that matches no probe. */
void probe_unmatched(struct comp *, const struct pdesc *);

/* subject.c: probes whose event is of another thread than the one that runs, when processes are
 * selected. */
void subject_warn(struct comp *, const char *selects);   /* the option that selects processes */

/* entry.c: adds the program that keeps registers at the entry of functions, if clauses need it. */
void probe_entries(struct comp *);

/* need.c: what clauses take of the places of their probes, told to the providers before arguments
 * are looked for. */
void probe_needs(struct comp *);
/* Clears place.past of an entry of a user function if another probe of the program is there. */
void probe_pasts(struct comp *);

/* dispatch.c: probes that share an attachment and are better off with one each, before grouping. */
void probe_apart(struct comp *);

/* flag.c: clauses on thousands of functions that wait for a flag, /self->on/. */
void probe_gates(struct comp *);
void probe_join(struct comp *);                  /* merge.c: instances with the same code */
bool gate_of_prog(const struct prog *);          /* does nothing of it run without a flag? */

/* ---- layout.c: places and sizes -------------------------------------------------------------- */

/*
 * Gives every variable, key tuple, record field and string its place, and fills
 * comp->img (sites, aggregations, maps, programs, probes).  No later pass decides
 * a size.
 */
bool layout(struct comp *);
bool sym_has_thread(struct dtx_env *, const struct sym *);        /* in the keys of self->x[] */
/* Bytes of a string with its NUL; of a value, and its alignment, where values are kept. */
u32 layout_string(struct comp *, const struct type *);
u32 layout_size(struct comp *, struct type *);
u32 layout_align(const struct type *);
u32 layout_at(u32 *off, u32 size, u32 align);     /* the next place; *off: the byte after it */
/* What the manifest says of a value; in_key: strings have their full size. */
void layout_field(struct comp *, struct type *, bool in_key, struct img_field *);
/* Adds a map unless it is there; valid until the next one is added. */
struct img_map *layout_add_map(struct comp *, const char *name, u32 role);       /* maprole.h */

/* ---- layout_key.c: key tuples of aggregations and arrays; shelves; the maps of aggregations */

/* The widest string at each place of a key, before layout_keys(). */
void layout_key_strings(struct comp *);
/* The tuple, zero-padded to 8 bytes; its first bytes are the hidden thread of self->x[].  fields:
 * of an aggregation, else NULL. */
void layout_keys(struct comp *, struct sym *, u32 first, struct img_field *fields);
/* As many bytes, or more: maps of one size share a shelf. */
u32 layout_shelf_room(u32 bytes);
void layout_shelve(struct comp *, const char *map);
void layout_aggs(struct comp *);

/* layout_type.c: index of the type in img->types + 1; 0: its name is enough. */
u32 layout_type(struct comp *, struct type *);
u32 layout_names(struct comp *, struct type *);   /* the same, of a T_ENUM with its enumerators */

/* label.c: what the program says of a value, in the image's arena; never NULL. */
const char *label_of(struct comp *, const struct node *);
/* The i-th field of an action. */
const char *label_of_field(struct comp *, const struct builtin *action, u32 i,
			   const struct node *);
/* Changes the name of fields[n] until it differs from those before it: "x#2". */
void label_unique(struct comp *, struct img_field *fields, u32 n);
void label_samples(struct comp *);                /* sym.each of the aggregations */
void label_units(struct comp *);                  /* of the variables, before unit_of() */
/* "ns", "us", "ms", "s", "bytes" of a typed expression; NULL: none is known. */
const char *unit_of(const struct node *);

void layout_site_probes(struct comp *, const struct inst *, struct img_site *);
void layout_programs(struct comp *);              /* layout_prog.c: img->probes and img->progs */

void layout_memory(struct comp *);                /* firing.c: mem_… */

/* What stacks of the program need. */
enum walk {
	WALK_NONE,
	WALK_PLAIN,              /* frames are addresses */
	WALK_FILES,              /* frames of user stacks are places in files, … */
	WALK_TABLES,             /* … and tables are used to find them */
};
enum walk need_user_walk(struct comp *);          /* need.c: what user stacks need */

struct plan {
	u32 held_off, held;      /* pending values of large programs; how many */
	u32 loop_off;            /* of clauses in parts: the next turn, turns of each loop */
	u32 tail_off;            /* end of the record, in large programs */
	u32 globals_size;        /* bytes of the data section of D globals */
	u32 entry_regs;          /* kept at entries: bit n is word n of struct pt_regs */
	u32 self_size;           /* bytes of one thread's storage value; 0: none */
	u32 vtime_off;           /* what vtimestamp keeps in that storage, if it is used */
	u32 thread_off;          /* the thread's identity there, if self->x[] are keyed by it */
	u32 scratch_size;        /* bytes of one scratch slot: record buffer + keys + strings */
	u32 rec_off, rec_size;   /* record buffer in the scratch slot (largest, tails included) */
	u32 key_off, key_size;   /* key buffer in the scratch slot */
	u32 this_off, this_size; /* this-> variables that are not locals */
	u32 str_off, str_slot;   /* string temporaries: offset of the first, bytes of each */
	u32 nstrs;               /* how many */
	u32 mem_off, mem_size;   /* area of alloca() and copyin() */
	u32 mem_one;             /* the most bytes for one of them (scratchsize) */
	bool mem_stays;          /* for all clauses of a firing; else each begins anew */
	u32 mem_mask;            /* mask of offsets in it: a power of two - 1 */
	u32 work_off, work_size; /* work areas of string subroutines; 0 bytes: none (strfn.h) */
	enum walk walk;
	bool python;             /* frames of Python are wanted */
	u32 walk_off;            /* state of a walk along a stack (bpf/stack/walk.h) */
	const struct kreturns *kreturns;         /* NULL: not needed, or not known */
	u32 ktrampoline;         /* its trampoline, in img->ksyms */
	bool kcaller_warned;
	/* Return addresses that the kernel has replaced, as old kernels keep them. */
	struct kends {
		u32 size;                /* of its trampoline; 0: no such kernel */
		u32 trampoline, table;   /* in img->ksyms */
		bool in_task;            /* a list in struct task_struct; else the table */
		u32 list;
		u32 task, address;       /* from a link to its thread and to the address */
	} kends;
	struct made {
		bool wanted;             /* the kernel's stack is walked */
		bool blind;              /* the kernel makes trampolines, and does not say where */
		u32 tree, entry, entry_regs;     /* in img->ksyms, from 1; 0: not known */
	} made;
	u32 strsize;
	u32 probe_str_max;       /* longest probe field with the NUL */
};

/* ---- kcaller.c: callers of kernel functions that the kernel's walk does not see -------------- */

/* How the kernel keeps the return addresses that it replaced by that of its trampoline: members of
 * struct task_struct, and of a struct with `llist` and `ret_addr`. */
struct kreturns {
	const char *trampoline, *list, *type;
};

bool kcaller_unseen(const struct dtx_probe *);
/* A clause walks the kernel's stack. */
void kcaller_want(struct comp *, const struct inst *, struct range at);
void kends_want(struct comp *);
/* Symbols by which bpf/stack/made.bpf.c knows what BPF has made. */
void made_want(struct comp *, bool trampolines);

/* ---- traceiter.c: what is between a tracepoint and its programs ------------------------------ */

/* A clause walks the kernel's stack. */
void traceiter_want(struct comp *, const struct inst *);
/* The place of its address in img->ksyms, from 1; 0: not known. */
u32 traceiter_of(struct comp *, const struct dtx_probe *);
u32 traceiter_size(struct comp *, const struct dtx_probe *);     /* bytes */
/* The same for the kernel's own code, without modules. */
void kernel_text_want(struct comp *);
u32 kernel_text_of(struct comp *);
u64 kernel_text_size(struct comp *);

/* ---- weight.c: how much a program costs the verifier
 * ------------------------------------------ */

#define PROG_NODES   7000        /* of the clauses of one probe in a program */
#define JOIN_NODES   3500        /* of all clauses of a program, when several probes share it */
#define CLAUSE_NODES 20000       /* of one clause */

void weigh_insts(struct comp *);                 /* inst->nodes, forks, loops */
void weigh_programs(struct comp *);              /* prog->large, inst->parts */
/* Does the kernel call the turns of the clause's loops? */
bool weigh_kernel_loops(const struct comp *, const struct inst *);
/* How many turns all loops of the clause may make, if each is a call (emit_loop.c); 0: they are
 * backward jumps. */
u32 weigh_turns(const struct comp *, const struct inst *);
/* The last statement of the function that begins with this one; *loops: it has some. */
struct node *weigh_part(struct node *first, bool *loops);
u32 weigh_loops(const struct comp *);            /* words of loop_off; 0: no such clause */
u32 weigh_waiting(struct comp *);                /* the most values pending at the same time */

#endif
