/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * abi.h - data layouts shared by the kernel side and the user side.
 *
 * Compiled by three parties: the BPF library (clang -target bpf), the code
 * generator (through offsetof and sizeof, never a mirrored struct) and the
 * consumer.  No includes: the file that includes this defines u8 … u64, s32,
 * s64.  Fixed widths, explicit padding, sizes asserted at the end.
 *
 *   record in the ring buffer
 *   +------+-------+-----+-------+------------------------+----------------+
 *   | site | probe | cpu | flags | fixed fields, at the   | string tails,  |
 *   | u32  | u32   | u32 | u32   | offsets of the manifest| in field order |
 *   +------+-------+-----+-------+------------------------+----------------+
 *   0      4       8     12      16
 *
 * A string field is a struct dtx_strref; its bytes (with the NUL) are in the
 * tail.  All padding is zeroed.
 */
#ifndef DTX_ABI_H
#define DTX_ABI_H

#define DTX_ABI_VERSION 5

#define DTX_MAX_ARGS      10      /* arg0 … arg9 */
#define DTX_MAX_CPUS      1024    /* ceiling for per-CPU tables */
#define DTX_COMM_LEN      16      /* TASK_COMM_LEN, include/linux/sched.h */
#define DTX_REC_MAX       131072  /* bytes of one record with its tails */
#define DTX_DROP_PROBES   512     /* up to this many probes, losses are counted by probe, else by
				   * program */
#define DTX_GATES_MAX     8       /* flags that clauses on thousands of functions wait for */
#define DTX_NEST_MAX      4       /* programs that may interrupt one another on one CPU */
#define DTX_STR_BLOCK     128     /* areas of string subroutines are multiples of it: strfn.h */
#define DTX_STR_STATE     640     /* bytes before the work areas of strings */
#define DTX_FOLLOW_MAX    65536   /* processes that --follow knows at a time */
#define DTX_FOLLOW_NS     0x80000000u   /* in their map: number in dtx's pid namespace */
#define DTX_SYSCALL_MAX   512     /* system call numbers a dispatching program knows */

/* A program that must have one copy per probe loads its probe index through this 64-bit
 * immediate; the loader puts the index in its place (runtime/load/load.c). */
#define DTX_PROBE_MAGIC   0x6474785f70726f62ULL

/* A program finds its CPU's slot of a keyless aggregation by "number of the CPU AND this"; the
 * loader puts the number of slots - 1 there, which is one less than a power of two. */
#define DTX_SLOT_MAGIC    0x64747873
#define DTX_SLOT_ALIGN    64      /* slots share no cache line */

/* Its map means the memory of its first slot, from the value on, which is after the mark. */
#define DTX_SLOT_VALUE    8

struct dtx_rec {
	u32 site;                 /* index into the manifest's sites, or DTX_SITE_* */
	u32 probe;                /* index into the manifest's probes */
	u32 cpu;
	u32 flags;                /* 0; in a speculative record DTX_SPEC_TAG */
};

/* What runs on a CPU since the last switch there: map dtx_vtime, for vtimestamp. */
struct dtx_slice {
	u64 task;                 /* address; 0: none was seen yet */
	u64 since;                /* when it began to run, as timestamp has it */
	u64 sum;                  /* its CPU time before that, ns */
};

/*
 * A probe that was found when the program ran already (-Z), by its index: struct dtx_late in the
 * map dtx_late.  The five texts are in the order of enum dtx_late_text.
 */
/*
 * An instruction of a function that sometimes does what its probe waits for: a jump that may leave
 * the function or go on inside of it, or go back to its entry.
 */
enum dtx_guard_what {
	DTX_GUARD_NONE,
	DTX_GUARD_LEAVES,         /* fires if the jump leaves the function */
	DTX_GUARD_TURN,           /* never fires; if the jump is taken, what follows is no call */
	DTX_GUARD_CALL,           /* the entry: fires unless the thread comes from such a jump */
	/* A function ends by a jump to another one, and its return fires where that one ends: */
	DTX_GUARD_WAIT,           /* the jump; fires only if nothing can be kept of it */
	DTX_GUARD_ARRIVE,         /* never fires; the entry of a function that it leads to */
	DTX_GUARD_PASS,           /* never fires; a jump from there to the next such entry */
	DTX_GUARD_STRAY,          /* fires, without a result, if the jump leaves the function */
	DTX_GUARD_END,            /* fires at the end of those that came by the jump */
};
#define DTX_GUARD_RANGES  3
#define DTX_GUARD_ALWAYS  255

struct dtx_guard {
	u8 what;                  /* enum dtx_guard_what */
	u8 cond;                  /* DTX_GUARD_ALWAYS, or a condition of the architecture */
	u8 indirect;              /* leaves if its target is in none of the ranges */
	u8 in_memory;             /* the target is the word there */
	s16 reg, index;           /* of struct pt_regs, bytes; -1: none */
	u32 scale;
	u32 from_ip;              /* 1: disp counts from the instruction */
	s64 disp;
	s64 range[DTX_GUARD_RANGES][2];  /* of the function's code, from the instruction */
	/* from DTX_GUARD_WAIT on: */
	u64 jump;                 /* dtx_wait_key.jump */
	s64 slot;                 /* word with the jump's target, from the instruction; 0: none */
	u32 part;                 /* dtx_wait_key.part */
	u32 zero;
};

#define DTX_TURNS_MAX     16384   /* threads that are at a jump to an entry */
struct dtx_turn {                 /* key of the map dtx_turns; the value is the stack pointer */
	u64 thread;
	u64 prog;
};

#define DTX_WAITS_MAX     16384   /* calls that wait for their end; those that never return stay
				   * until their place of the stack is used again */
struct dtx_wait_key {             /* of the map dtx_waits */
	u64 jump;                 /* which one: of the session */
	u64 sp;                   /* where the return address lies */
	u32 process;              /* threads may change their stacks among them */
	u32 part;                 /* programs that run one after the other */
};
struct dtx_wait {
	u64 ret;                  /* the return address */
	u64 since;                /* when it jumped, ns of CLOCK_MONOTONIC */
	u32 jumping;              /* 1: it is not in the function yet to which it jumps */
	u32 lost;                 /* earlier calls that have not come there */
	u64 slot;                 /* … the address of which is here; 0: known from the code */
};

#define DTX_LATE_MAX      16384   /* probes */
#define DTX_LATE_TEXT     128     /* bytes of a text with its NUL */

enum dtx_late_loc { DTX_LATE_NONE, DTX_LATE_REG, DTX_LATE_MEM, DTX_LATE_CONST, DTX_LATE_GONE };
enum dtx_late_text { DTX_LATE_PROBE, DTX_LATE_PROV, DTX_LATE_MOD, DTX_LATE_FUNC, DTX_LATE_NAME,
		     DTX_LATE_TEXTS };

struct dtx_late_arg {             /* as struct dtx_arg has it: LOC_REG, LOC_USERMEM, LOC_CONST */
	s64 value;
	s32 off;                  /* of a register in struct pt_regs, -1: none */
	s32 index;                /* the same */
	u8 loc, size, is_signed, scale;
	u32 pad;
};

struct dtx_late {
	u32 id, nargs;
	struct dtx_late_arg args[DTX_MAX_ARGS];
	char text[DTX_LATE_TEXTS][DTX_LATE_TEXT];
	struct dtx_guard guard;
};

/* `site` values that are not clauses. */
#define DTX_SITE_FAULT    0xffffffffu   /* payload: struct dtx_fault_rec */

/*
 * A speculation: entry of the map dtx_specs, by its number; entry 0 is not used.
 *
 *   FREE ──speculation()──► ACTIVE ──commit(), discard()──► COMMIT, DISCARD
 *    ▲                                                          │
 *    └───────── the consumer, when it has read the record ──────┘
 *
 * `turn` counts how often the number was given out.  By it a late record is not
 * mistaken for a record of the next owner.
 */
#define DTX_SPEC_MAX      1024    /* ceiling of the option nspec */
#define DTX_SPEC_TAG(id, turn)  ((u32)(turn) << 16 | (id))

enum dtx_spec_state { DTX_SPEC_FREE, DTX_SPEC_ACTIVE, DTX_SPEC_COMMIT, DTX_SPEC_DISCARD };

struct dtx_spec {
	u32 state;                /* enum dtx_spec_state */
	u32 turn;
	u64 used;                 /* bytes of its records */
};

/* Option flowtime: before the fields, at the manifest's time_off. */
struct dtx_rectime {
	u64 time;                 /* ns, CLOCK_MONOTONIC */
	u32 tid;
	u32 pid;                  /* 0 in images of older versions */
};

struct dtx_strref {
	u32 off;                  /* from the start of the record */
	u32 len;                  /* bytes with the NUL; 0: no string (NULL) */
};

/* A stack in a record or a key: its frames are in the map of its depth (stack.h). */
struct dtx_stackref {
	u64 id;                   /* key in that map; 0: it was not kept */
};

/*
 * Which program a process runs: exec() gives it another stack.  Bits of `start_stack` of its struct
 * mm_struct, which /proc/PID/stat shows as field 28 (proc_pid_stat(5)); 0: not known.
 */
#define DTX_EXEC_OF(start_stack)  ((u32)((start_stack) >> 4))

/* A symbol value (func(), ufunc() …): address plus, for the user side, the process. */
struct dtx_symref {
	u64 addr;
	u32 pid;
	u32 exec;                 /* DTX_EXEC_OF() it */
};

/* Payload of a DTX_SITE_FAULT record. */
#define DTX_FAULT_MASK   0xffu   /* of a word of a fault: what it is; above: its place, from 1 on */
#define DTX_FAULT_PLACE  8       /* bits */

struct dtx_fault_rec {
	struct dtx_rec rec;
	u32 site;                 /* site of the clause that faulted */
	u32 fault;                /* enum dtx_fault, and above it the number of the place or 0 */
	u64 value;                /* address, index or size: see the fault */
	s64 pc;                   /* -1: unknown */
};

/* Fault codes: DTrace guide, "ERROR probe"; the order is DTrace's. */
enum dtx_fault {
	DTX_FAULT_UNKNOWN = 0,
	DTX_FAULT_BADADDR = 1,
	DTX_FAULT_BADALIGN = 2,
	DTX_FAULT_ILLOP = 3,
	DTX_FAULT_DIVZERO = 4,
	DTX_FAULT_NOSCRATCH = 5,
	DTX_FAULT_KPRIV = 6,
	DTX_FAULT_UPRIV = 7,
	DTX_FAULT_TUPOFLOW = 8,
	DTX_FAULT_BADSTACK = 9,
	DTX_FAULT_BADSIZE = 10,
	DTX_FAULT_BADINDEX = 11,
	DTX_FAULT_LOOP = 12,      /* a loop exceeded its limit; this code is dtx's own */
	DTX_FAULT_ENTRY = 13,     /* a value of a function's entry is not known; dtx's own, too */
	DTX_FAULT_TAIL = 14,      /* a function that ends by a jump has no result yet; dtx's own */
	DTX_FAULT_STACK = 15,     /* the kernel's stack is not known so far; dtx's own */
	DTX_FAULT_MADE = 16,      /* nor which of its frames are of BPF's trampolines; dtx's own */
	DTX_FAULT_BUCKET = 17,    /* a bucket would leave 64 bits; dtx's own */
	DTX_FAULT_N
};

/* Losses, counted per CPU and probe (program, where the image has more than DTX_DROP_PROBES)
 * in the map dtx_drops: u64 [DTX_DROP_N]. */
enum dtx_drop {
	DTX_DROP_PRINCIPAL,       /* ring buffer full */
	DTX_DROP_AGG,             /* aggregation map full */
	DTX_DROP_DYNVAR,          /* associative array or thread-local space full */
	DTX_DROP_SPEC,            /* speculation buffer full */
	DTX_DROP_SPECUNAVAIL,     /* no free speculation */
	DTX_DROP_SPECBUSY,        /* speculation still draining */
	DTX_DROP_STACK,           /* map of stacks full */
	DTX_DROP_STRCUT,          /* string cut to strsize */
	DTX_DROP_NEST,            /* more than DTX_NEST_MAX programs nested on one CPU */
	DTX_DROP_DBLERROR,        /* fault inside an ERROR clause */
	DTX_DROP_N
};

/* Session states, in dtx_ctl.state.  A program does nothing unless ACTIVE
 * (or it is the BEGIN/END program of that state). */
enum dtx_state {
	DTX_STATE_IDLE,           /* attached, not yet live; BEGIN runs in this state */
	DTX_STATE_ACTIVE,
	DTX_STATE_ACTIVE_CPU,     /* the same, on only_cpu alone */
	DTX_STATE_WATCHED,        /* active, and programs mark probes: nothing was shown so far */
	DTX_STATE_DRAINING,       /* exit() was called, or the user interrupted */
	DTX_STATE_ENDING,         /* END runs */
};

#define DTX_HOST_LEN 65          /* __NEW_UTS_LEN + 1 of linux/utsname.h */
#define DTX_FIRED  2048          /* probes beyond share marks with others: a power of two */

/* The control block: one instance, in the data section ".data.dtxctl". */
struct dtx_ctl {
	u32 state;                /* enum dtx_state */
	u32 exit_called;          /* exit() ran */
	s32 exit_status;          /* its argument */
	u32 target_pid;           /* $target's process, 0 if none */
	s64 wall_offset;          /* CLOCK_REALTIME - CLOCK_MONOTONIC, ns, now */
	u32 self_pid;             /* process id of dtx */
	u32 ncpus;                /* possible CPUs */
	u64 specsize;             /* bytes a speculation may hold */
	u32 only_cpu;             /* the one CPU to trace + 1, 0: all */
	u32 fill;                 /* a full buffer ends the tracing (bufpolicy=fill) */
	u64 start;                /* CLOCK_MONOTONIC when tracing began, ns */
	u32 pidns;                /* inode number of dtx's pid namespace */
	u32 stacks;               /* how many the programs have put into tables of stacks */
	u32 turn;                 /* 1: aggregations with two pairs of maps use the second one */
	u32 rows;                 /* how many the programs have made in such aggregations */
	u8 fired[DTX_FIRED];      /* by index % DTX_FIRED: did the probe fire?  See the state */
	char host[DTX_HOST_LEN];  /* uname(2)'s node name at start */
};

/*
 * Machine state of one firing, for the code generator (offsetof) and the BPF library.
 * Lives on the BPF stack of the program; inlining turns most of it into registers.
 */
struct dtx_mst {
	void *ctx;                /* the program's context */
	char *scratch;            /* claimed scratch slot, NULL: none yet */
	char *self;               /* this thread's storage value, NULL: not looked up or absent */
	u64 fault_val;            /* valid when fault != 0: address, divisor, index, size */
	u64 time;                 /* `timestamp` of this firing, 0: not read yet */
	u32 fault;                /* enum dtx_fault + 1, its place above it; 0: none */
	u32 probe;                /* index into the manifest's probes */
	u32 prog;                 /* index into the manifest's programs */
	u32 site;                 /* site of the running clause */
	u32 exited;               /* exit() ran in this firing */
	u32 mem;                  /* bytes taken of the slot's copyin area */
	u32 spec;                 /* DTX_SPEC_TAG of what the clause records, 0: none */
	u32 tok;                  /* strtok() has begun a string in this clause */
};

/* Offsets in kernel objects on the way from a path to its text (bpf/text/path.bpf.c). */
struct dtx_koff {
	u64 d_parent, d_name, d_name_len;                /* struct dentry */
	u64 mnt, mnt_parent, mnt_mountpoint, mnt_root;   /* struct mount */
	u64 d_sb, s_type, fs_name, d_inode,
		i_ino; /* of what is in no folder: file system, number */
};

/* Offsets on the way from a task to its number in a pid namespace (bpf/filter.bpf.c). */
struct dtx_taskoff {
	u64 pid, tgid, leader, thread_pid;               /* struct task_struct */
	u64 numbers, upid_size, upid_nr, upid_ns;        /* struct pid, struct upid */
	u64 ns_inum;                                     /* struct pid_namespace */
};

/*
 * A call of a function: key of the map dtx_calls, whose values are registers at its entry.  The
 * oldest ones make room (the map is LRU): functions do not tell when they return.
 */
#define DTX_CALLS_MAX     32768   /* 128 bytes or so each */

struct dtx_call {
	u64 entry, cfa;           /* addresses of the function and of its frame */
	u64 began;                /* when the process did: task_struct.start_time */
	u32 pid, pad;
};

/*
 * Key of the map dtx_firsts: an object in the kernel, and when it began, as addresses come again,
 * or which of its values it is.  The value is who asked first, or what was kept.  It matters for a
 * short time only, so the oldest make room (the map is LRU).
 */
#define DTX_FIRSTS_MAX    16384

struct dtx_first {
	u64 object, began;
};

/* Where a task has its process, and that its beginning. */
struct dtx_procoff {
	u64 leader, began;
};

/* Values of aggregations: see aggs.def.  Zero bytes are the identity of each
 * function, so that a new entry needs no initialisation:
 *   min keeps  INT64_MAX - x  as unsigned and takes the maximum,
 *   max keeps  x - INT64_MIN  as unsigned and takes the maximum.
 * A keyless aggregation is the only element of an array: a slot for each CPU, whose first u64
 * is 1 once it was updated (count() needs no such mark).  A program computes the address of its
 * slot without a map lookup.  A keyed one is a hash whose key is the tuple and the CPU: as u32 in
 * the first gap of the tuple; else, if there are few CPUs, as the last byte of a string, which is
 * otherwise always NUL; else as u32 after the tuple, padded to 8 (the kernel hashes and compares
 * whole words faster).  So CPUs do not share counters, memory is used only for keys that were
 * seen, and a new entry needs no per-CPU allocation (which fails at once when its reserve is used
 * up). */
#define DTX_AGG_CPU_BYTES      4
#define DTX_AGG_FEW_CPUS       256
#define DTX_AGG_QUANT_BUCKETS  127      /* bucket 63 holds the zeros; DTrace guide, quantize */

_Static_assert(sizeof(struct dtx_rec) == 16, "record header");
_Static_assert(sizeof(struct dtx_rectime) == 16, "time of a record");
_Static_assert(sizeof(struct dtx_strref) == 8, "string reference");
_Static_assert(sizeof(struct dtx_stackref) == 8, "stack reference");
_Static_assert(sizeof(struct dtx_symref) == 16, "symbol reference");
_Static_assert(sizeof(struct dtx_fault_rec) == 40, "fault record");
_Static_assert(sizeof(struct dtx_ctl) == 144 + DTX_FIRED, "control block");
_Static_assert(sizeof(struct dtx_call) == 32, "call");
_Static_assert(sizeof(struct dtx_spec) == 16, "speculation");

#endif
