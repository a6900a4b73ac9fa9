/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit-private.h - shared by the files of compiler/emit/.
 *
 * Every integer of D is an i64 here: expressions are computed in 64 bits and narrowed
 * where they are stored (DTrace guide "Types, Operators, and Expressions").  Addresses are i64 too;
 * only what the verifier knows as a pointer (own memory, BTF objects) is an LLVM pointer.
 *
 * The functions of a program, joined by the inliner unless there are too many:
 *
 *   dtx_prog_N(ctx)        state, probe index, then each clause in order
 *     clause_N_G_I(frame)  predicate, body, record; ends at `out` or `fault`
 *   frame = struct dtx_mst, then the this-> locals
 */
#ifndef DTX_EMIT_PRIVATE_H
#define DTX_EMIT_PRIVATE_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>

#include "compiler/emit/emit.h"

#define STACK_KEY_MAX   80       /* bytes of a key or value built on the BPF stack */
#define STACK_REC_MAX   128      /* bytes of a record built there */
#define INLINE_CLAUSES  8        /* more clauses than this become subprograms */
#define SUBPROGS_MAX    200      /* the kernel allows 256 */
#define HUGE_CLAUSES    500      /* emit_is_huge() */
#define SUBPROG_CLAUSES 4        /* clauses in a subprogram of a huge program */

#define USES_TIME     1
#define USES_SELF     2
#define USES_SCRATCH  4
#define USES_CTX      8          /* uses the context, not only for arguments */
#define ERROR_ARGS  6            /* arg0 … arg5 of ERROR, after the machine state */

typedef LLVMValueRef val;        /* short names, because they are on every line of emit_*.c */
typedef LLVMBasicBlockRef block;

/* Statements of a clause that are a function of their own. */
struct part {
	struct node *first;
	val fn;
	bool turns;              /* has loops: the function of their turns */
	struct part *next;
};

/* What is as old as the part that is being emitted: a program and its clauses … */
struct emit_program {
	struct prog *prog;
	struct prog_group *group;
	struct inst *inst;
	bool inlined;                /* its clauses are inlined */
	bool large;                  /* weight.c: pending values are in scratch memory */
	u32 uses;                    /* USES_* of its clauses */
	u32 frame_size;
	val status;                  /* alloca: what a kprobe.session program returns; else NULL */
	val error_fn;                /* ERROR clauses, or NULL */
	bool in_error;
};

/* … a function: of a program, a clause, or a part of one … */
struct emit_function {
	val fn, frame;
	block entry, out, fault;
	block done;                  /* after its statements: the record is sent */
	val slot;                    /* alloca: address of the scratch slot */
	block claim[2];              /* where it can be claimed: before predicate, before body */
	u32 phase;                   /* 0 in the predicate, 1 in the body */
	bool claims[2];
	val rec, tail;               /* record buffer; alloca: bytes used */
	val key;                     /* alloca: where keys are built, or NULL */
	u32 key_bytes;
	val comm;                    /* alloca: execname; NULL: not used yet */
	val word;                    /* alloca: ll_word() */
};

/* … a loop … */
struct emit_loop {
	block turn, leave;           /* its next turn, the block after it */
	block again;                 /* the end of a turn, in a function of turns, else NULL */
	val heads;                   /* the switch to the loop whose turn it is */
	u32 n;                       /* loops so far */
};

/* … and a statement. */
struct emit_expr {
	u32 held;                    /* used places of pending values */
	const struct node *make;     /* the variable of which a part is stored: made if absent, */
	block lost;                  /* and where to go when there is no room */
};

struct emit {
	struct comp *c;
	LLVMContextRef ctx;
	LLVMModuleRef mod;
	struct pieces *pieces;   /* of the BPF library: parsed on demand, linked at the end */
	struct keytab *places;   /* range → number in img->places; made on demand */
	struct map *precompiled; /* its functions that are compiled already: their texts */
	LLVMTargetMachineRef tm;
	LLVMBuilderRef b;
	LLVMDIBuilderRef di;
	LLVMTypeRef i1, i8, i16, i32, i64, ptr, none;
	LLVMMetadataRef unit, file0, fn_type, scope;
	LLVMMetadataRef *files;      /* by source index */
	u32 nfiles;
	bool refused;                /* refused by the code generator, and reported */

	const char *said;            /* the code generator's first error, or NULL */
	bool frugal;                 /* all programs are treated as large */

	struct emit_program p;
	struct emit_function f;
	struct emit_loop loop;
	struct emit_expr x;
};

/* ---- emit_ll.c: thin wrappers of LLVM-C ------------------------------------------ */

bool ll_open(struct emit *);
void ll_close(struct emit *);
val ll_num(struct emit *, u64 v);                    /* i64 */
val ll_num32(struct emit *, u32 v);
LLVMTypeRef ll_itype(struct emit *, u32 bytes);      /* i8 … i64 */
val ll_ext(struct emit *, val, bool is_signed);      /* any integer or pointer to i64 */
val ll_bool(struct emit *, val i64);                 /* i1: != 0 */
val ll_off(struct emit *, val ptr, u64 off);
val ll_off_var(struct emit *, val ptr, val off);
val ll_load(struct emit *, val ptr, u32 bytes, bool is_signed);     /* extended to i64 */
/* The same for volatile memory: read again each time. */
val ll_load_now(struct emit *, val ptr, u32 bytes, bool is_signed);
void ll_store(struct emit *, val v, val ptr, u32 bytes);            /* truncated */
val ll_load_ptr(struct emit *, val ptr);
block ll_block(struct emit *, const char *name);
void ll_at(struct emit *, block);
void ll_br(struct emit *, block to);
void ll_if(struct emit *, val i1, block yes, block no);
void ll_only_if(struct emit *, val cond, block quit);               /* else goes on here */
val ll_phi(struct emit *, LLVMTypeRef, val a, block from_a, val b, block from_b);
block ll_here(struct emit *);
val ll_alloca(struct emit *, LLVMTypeRef, const char *name);        /* in the entry block */
/* Temporary on the stack, 8-byte aligned. */
val ll_temp(struct emit *, u32 bytes);
val ll_word(struct emit *);
void ll_word_end(struct emit *, val);
void ll_zero(struct emit *, val ptr, u32 bytes);                    /* 8-byte aligned */
void ll_zero_gap(struct emit *, val ptr, u32 bytes);                /* any alignment: one store per
								     * byte */
void ll_copy(struct emit *, val to, val from, u32 bytes);           /* 8-byte aligned, small */
/* Call of a library function; arguments are converted to its parameter types. */
val ll_call_n(struct emit *, const char *name, val *args, u32 n);
#define ll_call(e, name, ...) \
	ll_call_n(e, name, (val[]){ __VA_ARGS__ }, sizeof((val[]){ __VA_ARGS__ }) / sizeof(val))
/* `text` is one BPF instruction or more, $0 the i64 result, $1 … the operands. */
val ll_asm(struct emit *, const char *text, const char *constraints, val *args, u32 n);
val ll_rodata(struct emit *, const void *bytes, u32 n, const char *name);
val ll_constants(struct emit *, const char *name, const u64 *n, u32 count); /* for the library */
val ll_string(struct emit *, const char *text, u32 len, u32 padded);
val ll_function(struct emit *, const char *name, LLVMTypeRef ret, LLVMTypeRef arg);
void ll_attr(struct emit *, val fn, const char *name);
void ll_target(struct emit *, val fn);               /* attributes of all our functions */
val ll_zero_bytes(struct emit *, u32 n);             /* at least n bytes of zeros, read-only */

/* ---- emit_dbg.c: source lines and BTF of maps --------------------------------------- */

void dbg_open(struct emit *);
void dbg_function(struct emit *, val fn, struct range, bool global);
void dbg_library_global(struct emit *, val fn);      /* of numbers only */
void dbg_line(struct emit *, struct range);
void dbg_map(struct emit *, val g, const struct img_map *);
void dbg_datum(struct emit *, val g, const char *name, u32 size);
void dbg_close(struct emit *);

/* ---- emit_need.c: abilities that the image needs when it is loaded --------------------- */

void emit_need(struct emit *, u32 feature);
void emit_needs(struct emit *);                      /* those of all programs */

/* ---- emit_frame.c: where functions begin, and the frame that they share -------------- */

void emit_begin_program(struct emit *, const char *name, const char *section);
/* A function of the module; the body begins with e->f.entry. */
val emit_begin_function(struct emit *, const char *name, const char *attr, LLVMTypeRef type);
val emit_begin_framed(struct emit *, const char *name, const char *attr);   /* takes the frame */
u32 emit_group_number(const struct emit *);
void emit_place_frame(struct emit *);
void emit_frame(struct emit *, val ctx);             /* the frame of a program, or of the ERROR
						      * clauses */
struct inst *emit_first_error(const struct comp *);
val emit_mst(struct emit *, u32 off);                /* address of a field */
#define emit_m(e, field)  emit_mst(e, offsetof(struct dtx_mst, field))
val emit_scratch(struct emit *, u32 off);            /* address in the claimed slot */
val emit_level(struct emit *);

/* ---- emit_clause.c: clauses ---------------------------------------------------------- */

struct clauses { val *fns; u32 n; };                 /* functions, called in order */

val emit_clause(struct emit *);                      /* the function of e->p.inst */
void emit_calls(struct emit *, const struct clauses *, block quit, bool may_exit);
void emit_look_up(struct emit *, block quit);

/* ---- emit_map.c: maps and symbols of the kernel -------------------------------------- */

val emit_map(struct emit *, const char *name);
/* The shelf that holds a map (img_map.shelf), and its slot there. */
val emit_shelf(struct emit *, const char *name);
val emit_slot(struct emit *, const char *name);
struct img_map *emit_new_map(struct emit *, u32 role);         /* maprole.h */
val emit_ksym(struct emit *, u32 index);             /* address, i64 */
val emit_ksym_at(struct emit *, val index);

/* ---- emit_data.c: the data of the module --------------------------------------------- */

/* Constants that the library needs, and all maps. */
void emit_data(struct emit *);
void emit_manifest(struct emit *);                   /* and the licence */

/* ---- emit_vtime.c: for vtimestamp --------------------------------------------------------- */

void emit_vtime_map(struct emit *);
void emit_vtime_program(struct emit *);             /* notes each switch of a CPU */

/* ---- emit_entry.c: registers at the entry of functions -------------------------------------- */

void emit_entry_map(struct emit *);
bool emit_is_guarded(const struct prog *);
void emit_guard_map(struct emit *);
void emit_guard(struct emit *, block quit);
void emit_entry_program(struct emit *, struct prog *);

/* ---- emit_gate.c --------------------------------------------------------------------------- */

/* Ends a program whose clauses all wait for a flag that is not set (plan/flag.c). */
void emit_gate(struct emit *, block quit);

/* ---- emit_filter.c: -p, --follow, --cgroup, --comm ----------------------------------------- */

void emit_filter_maps(struct emit *);
void emit_filter(struct emit *, block quit);         /* quit: where to go if the event is filtered
						      * out */
void emit_filter_process(struct emit *, block quit); /* only that of -p, --follow */
void emit_filter_programs(struct emit *);            /* the programs that keep the set of
						      * --follow */

/* ---- emit_error.c: ERROR clauses -------------------------------------------------------- */

void emit_error(struct emit *);                      /* sets e->p.error_fn */

/* ---- emit_probe.c: what fired ---------------------------------------------------------- */

/* Stores the probe index; returns the group selector (i64) if there are groups. */
val emit_ident(struct emit *, block quit);
val emit_arg(struct emit *, const struct node *);    /* N_ARG, extended */
const struct dtx_arg *emit_arg_of(struct emit *, const struct node *);
val emit_arg_bytes(struct emit *, const struct node *);     /* its length, if it varies, or NULL */
/* row: one with BF_PROBE. */
val emit_probe_field(struct emit *, const struct builtin *row, u32 *cap);
val emit_probe_id(struct emit *);
val emit_probe_entry(struct emit *);
val emit_probe_past(struct emit *);      /* place.past */
val emit_probe_walk(struct emit *);      /* DTX_KWALK_ENTRY, or 0 */
/* Address of __traceiter_EVENT, and its bytes; 0: not known. */
val emit_probe_traceiter(struct emit *, val *size);

/* ---- emit_loc.c: the places of arguments ------------------------------------------------ */

/* The value, of which the low `size` bytes count; of an array or struct in the context: its
 * address. */
val emit_located(struct emit *, const struct dtx_arg *, u32 size);
val emit_inside(struct emit *, const struct dtx_arg *);

/* Can a load have this size? */
static inline bool emit_word_size(u32 n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

/* ---- emit_steps.c: variables of programs ------------------------------------------------- */

/* The steps of a to its n-th 8 bytes: i64; a fault if memory cannot be read. */
val emit_steps(struct emit *, const struct dtx_arg *a, u32 n);
val emit_place_arg(struct emit *, const struct dtx_arg *);   /* LOC_PLACE */

/* The words that are kept at entries, before that of a register; where they are found. */
u32 emit_entry_count(const struct emit *, u32 word);
void emit_entry_offsets(struct emit *);
val emit_words(struct emit *, const struct dtx_arg *);       /* LOC_VALUE of more than 8 bytes: a
							      * pointer to a copy */

/* ---- emit_load.c: loads from a place that is known ------------------------------------------ */

struct place {
	enum memory in;
	val p;                   /* OWN, TRUSTED: pointer; else i64 address */
	u32 off;                 /* constant part */
};

/* Offset of a member; 0 if it does not exist. */
u32 emit_koff(struct emit *, const char *tag, const char *member);
val emit_as_number(struct emit *, val ptr);
val emit_narrow(struct emit *, val, const struct type *);
/* The bit-field in its unit; more: the byte after the unit, NULL if not is_over. */
val emit_bits_get(struct emit *, val unit, val more, const struct field *);
val emit_insn(struct emit *, val base, u32 off, u32 size, bool is_signed);
val emit_ctx(struct emit *, u32 off, u32 size, bool is_signed);
val emit_arg_ptr(struct emit *, const struct dtx_arg *);     /* trusted pointer */
val emit_load_trusted(struct emit *, val ptr, u32 off, u32 size);
void emit_distrust(struct emit *, struct place *);
val emit_place_addr(struct emit *, const struct place *);    /* i64 */
/* A pointer to own memory of n bytes to write to; a fault if the place is not own memory. */
val emit_place_own(struct emit *, const struct place *, u32 n);
void emit_read(struct emit *, val to, u32 n, const struct place *);  /* n bytes, own memory */
val emit_load_bytes(struct emit *, const struct place *, u32 n);
val emit_load(struct emit *, const struct place *, const struct type *);

/* ---- emit_thread.c: what the kernel keeps of a thread --------------------------------------- */

struct place emit_task(struct emit *);               /* the current task */
val emit_task_num(struct emit *, const char *const *path, bool is_signed);
void emit_task_offsets(struct emit *);               /* dtx_taskoff of the BPF library */
u32 emit_page(struct emit *);
u32 emit_user_regs(struct emit *);   /* from a kernel stack to the registers of user mode, or 0 */
val emit_kernel_word(struct emit *, val addr, u32 off, u32 bytes);
val emit_user_reg(struct emit *, u64 index);         /* of struct pt_regs, in words */

/* ---- emit_area.c: the scratch memory of D programs ------------------------------------------ */

val emit_scratch_size(struct emit *);
val emit_scratch_used(struct emit *);
val emit_scratch_part(struct emit *, val addr, val size, enum dtx_fault, val value);
val emit_scratch_at(struct emit *, val addr, val size);
val emit_scratch_room(struct emit *, val size, unsigned spare);

/* ---- emit_mem.c: memory by address space -------------------------------------------------- */

struct place emit_arg_place(struct emit *, const struct node *); /* emit_probe.c: array or struct */
struct place emit_place(struct emit *, const struct node *);
struct place emit_behind(struct emit *, const struct node *ptr);     /* what it points to */
val emit_bits(struct emit *, const struct node *member);

/* ---- emit_fault.c: what a clause cannot do --------------------------------------------------- */

/* A place of the user's text, in the image's places, from 1; 0: library text. */
u32 emit_text_place(struct emit *, const struct range *);
/* Leaves the clause with a fault if `bad` (i1). */
void emit_fault_if(struct emit *, val bad, enum dtx_fault, val value);
void emit_check_fault(struct emit *);                /* after a call that may have set the fault */
void emit_pass_fault(struct emit *);                 /* the same, and its place is known */

/* ---- emit_hold.c: pending values in large programs ------------------------------------------ */

struct held { val v; u32 at; };          /* at: its place + 1; 0: the value is v */

/* Stores a value while others are computed, and loads it again.  In small programs and
 * for constants these do nothing. */
struct held emit_hold(struct emit *, val);
val emit_take(struct emit *, struct held);
val emit_room(struct emit *, u32 bytes);             /* own memory, until e->x.held is reset */
val emit_forget(struct emit *, val);                 /* hides the value from LLVM and from the
						      * verifier */

/* ---- emit_expr.c, emit_call.c: expressions --------------------------------------------------- */

/* Where a task has the CPU time that was booked to it; false: this kernel does not say. */
bool emit_vtime_sum(struct emit *, u32 *off);
val emit_expr(struct emit *, const struct node *);   /* scalars: i64 */
val emit_cond(struct emit *, const struct node *);   /* i1 */
void emit_jump(struct emit *, const struct node *cond, block yes, block no);
/* One arithmetic operator on computed operands; n: its N_BINARY. */
val emit_arith(struct emit *, const struct node *n, val a, val b);
void emit_void(struct emit *, const struct node *);  /* for its effects */
/* Emits a, then b. */
void emit_both(struct emit *, const struct node *a, const struct node *b, val *va, val *vb);
val emit_call(struct emit *, const struct node *);   /* N_BUILTIN, N_CALL of scalar type */
void emit_wide(struct emit *, const struct node *, val to);  /* the bytes of a stack or symbol */
void emit_symref(struct emit *, const struct node *, val addr, val to); /* the bytes of one
									 * symbol */

/* ---- emit_stack.c: stacks -------------------------------------------------------------------- */

void emit_stack(struct emit *, const struct node *, val to); /* struct dtx_stackref */
val emit_process(struct emit *);                     /* as the library's dtx_process() */
val emit_call_frame(struct emit *);                  /* at entry and return of a user function: the
						      * CFA of this call, i64; else 0 */
void emit_stack_maps(struct emit *);
void emit_stack_constants(struct emit *);           /* what bpf/stack/walk.h needs */

/* ---- emit_str.c: strings --------------------------------------------------------------------- */

/* ANY: as MEM_ANY. */
enum str_kind { STR_OWN, STR_LIT, STR_COMM, STR_KERNEL, STR_USER, STR_ANY };

struct str {
	enum str_kind kind;
	val p;                   /* OWN, LIT: pointer; KERNEL, USER: i64 address */
	u32 cap;                 /* readable bytes (OWN, LIT), or the most to read */
	const struct node *n;
	val null;                /* i1: is it the NULL string?  NULL: never */
	val limit;               /* most bytes to read, with the NUL (i64); NULL: cap */
};

struct str emit_str(struct emit *, const struct node *);
struct str emit_call_text(struct emit *, const struct node *);       /* N_BUILTIN, N_CALL */
val emit_str_room(struct emit *, const struct node *);       /* the temporary of a string */
struct str emit_str_own(struct emit *, struct str);          /* copies it into own memory if it is
							      * not there */
val emit_text_addr(struct emit *, const struct node *);      /* i64 */
void emit_str_into(struct emit *, struct str, val to, u32 size, bool pad);
val emit_str_tail(struct emit *, struct str, val to, u32 max);   /* bytes with NUL, i64 */
val emit_str_compare(struct emit *, const struct node *);

/* After the store of s to a variable: marks whether it is the NULL string or an empty one. */
void emit_str_mark(struct emit *, struct str s, val to, u32 size);
void emit_str_mark_null(struct emit *, val at, u32 size);    /* marks an emptied variable as NULL */
void emit_str_needed(struct emit *, const struct str *); /* BADADDR if it is the NULL string */

/* ---- subroutines: those that rows of builtins.def name are in expr/rows.h -------------------- */

val emit_str_order(struct emit *, struct str a, struct str b);
/* emit_copy.c: writes to memory of the process, at most so many bytes. */
void emit_write_user(struct emit *, val to, val from, val size, val most);

/* ---- emit_var.c: variables ------------------------------------------------------------------- */

/* Address of a variable's bytes; NULL for absent thread-local and associative ones. */
val emit_var_addr(struct emit *, const struct node *);
val emit_var_make(struct emit *, const struct node *);
val emit_var_get(struct emit *, const struct node *);        /* scalar, extended */
val emit_assign(struct emit *, const struct node *);
val emit_incdec(struct emit *, const struct node *);
val emit_compound(struct emit *, const struct node *, val old, val v);
val emit_fill(struct emit *, const struct node *value, val to, u32 size);

/* ---- emit_store.c: parts of variables, scratch memory ---------------------------------------- */

val emit_store(struct emit *, const struct node *assign);
val emit_store_step(struct emit *, const struct node *incdec, u64 step);

/* ---- keys (emit_var.c) ----------------------------------------------------------------------- */

/* Keys are evaluated from left to right, before the rest of the statement, then stored
 * as a tuple (once more, if something may have used the buffer in between). */
struct key_part;
struct keys {
	const struct sym *sym;
	struct key_part *parts;
	bool looks;              /* for an element that is read or deleted, and not made */
};
struct keys emit_keys_eval(struct emit *, const struct sym *, const struct node *list);
val emit_keys_store(struct emit *, struct keys);

/* ---- emit_act.c, emit_agg.c: statements ------------------------------------------------------ */

void emit_statements(struct emit *, const struct node *);
void emit_rec_begin(struct emit *);
void emit_rec_place(struct emit *);                  /* e->f.rec and e->f.tail of this function */
void emit_rec_end(struct emit *);
void emit_agg(struct emit *, const struct node *);

/* ---- emit_like.c: =~ and !~ ------------------------------------------------------------------ */

val emit_like(struct emit *, const struct node *);

/* ---- emit_loop.c: loops, break, continue, return --------------------------------------------- */

void emit_loop(struct emit *, const struct node *);
/* The statements of e->p.inst as functions; the calls end at e->f.done, e->f.out or e->f.fault. */
struct part *emit_parts(struct emit *);
void emit_parts_call(struct emit *, const struct part *);
void emit_goto(struct emit *, const struct node *);

/* ---- pieces.c: the BPF library, which is bitcode --------------------------------------------- */

val pieces_function(struct emit *, const char *name);    /* NULL: it has none */
bool pieces_link(struct emit *);                         /* what the module names of it */
void pieces_close(struct emit *);

/* ---- link.c: optimiser, object --------------------------------------------------------------- */

bool emit_is_huge(const struct emit *);
void link_init(void);                              /* initialises LLVM, once per process */
void link_keep_order(void);                        /* for programs with loops */
bool link_open(struct emit *);                       /* target machine */
bool link_module(struct emit *);                     /* links the library and optimises */
bool link_object(struct emit *);                     /* c->img->elf */
bool link_fail(struct emit *, const char *what, char *message);

/* ---- latemaps.c: maps are described behind the functions --------------------------------- */

void latemaps_hide(struct emit *);                   /* before the object is written */
void latemaps_show(void *object);

/* ---- precompiled.c: functions of the library, compiled to the end ----------------------- */

extern const unsigned char dtx_bpf_precompiled[], dtx_bpf_precompiled_end[];
/* Of such a function; NULL: there is none of this name. */
LLVMTypeRef precompiled_type(struct emit *, const char *name);
/* Defines those that the module declares.  false: they name what the module has not. */
bool precompiled_define(struct emit *);

#endif
