/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * stack.h - stacks as they are kept, and the files that their frames are in; shared by the kernel
 * side and the user side.  The file that includes this defines u8 … u64, s64, s32.
 *
 * A stack is kept once, in a hash map, by a hash of its frames.  A record or a key has the hash
 * (struct dtx_stackref in abi.h).  A frame of a user stack is a place in a file where there is a
 * file: the same in each process that maps it, and still known when the process has ended.
 */
#ifndef DTX_STACK_H
#define DTX_STACK_H

#include <facts.h>

#define DTX_STACK_MAX     512     /* frames of one stack */
#define DTX_WALK_BYTES    (6656 + 160 * ARCH_UW_RULE_BYTES)   /* of a scratch slot, for a walk:
				   * bpf/stack/walk.h, which keeps 128 rules */
#define DTX_PY_BYTES      1536    /* after them, for a walk along Python's frames */

/* Options of a walk. */
#define DTX_WALK_ENTRY    1       /* the probe is at the begin of its function */
#define DTX_WALK_WHOLE    2       /* no number of frames was asked for: an option has it */
#define DTX_WALK_PAST     8       /* from this bit on: bytes from the entry of the function to the
				   * probe.  The walk begins at the entry. */

/* Above the flags of bpf_get_stack(): the kernel's walk leaves out the second frame, which is
 * known. */
#define DTX_KWALK_ENTRY   (1ull << 32)
/* The first frames may be of the tracer, behind a tracepoint. */
#define DTX_KWALK_TRACER  (1ull << 33)

/* A frame: an address, or (user stacks) with DTX_FRAME_FILE the number of an object and the offset
 * in its file. */
#define DTX_FRAME_FILE    (1ull << 63)
#define DTX_FRAME_SHIFT   43
#define DTX_FRAME_EXACT   (1ull << 42)   /* not a return address: the code at it, not before it */
#define DTX_FRAME_OFF     (DTX_FRAME_EXACT - 1)
#define DTX_OBJECT_BITS   20
#define DTX_OBJECT_VDSO   1       /* its offsets count from the begin of the mapping */
#define DTX_OBJECT_FIRST  16      /* the first number of a file */

/* Where a stack ends.  The order is that of the texts in runtime/stack/stacktext.c. */
enum dtx_stack_end {
	DTX_END_UNKNOWN,          /* the kernel's own walk does not say */
	DTX_END_START,            /* the program's or thread's start was reached */
	DTX_END_CUT,              /* as many frames as the program asked for */
	DTX_END_MAKING,           /* a table was being made: frames may be missing */
	DTX_END_NOTABLE,          /* a file without a table, or none for this place */
	DTX_END_MEMORY,           /* the memory of a frame could not be read */
	DTX_END_LOST,             /* a rule needs a register that is not known */
	DTX_END_FRAMES,           /* as many frames as an option allows, and there are more */
	DTX_END_32BIT,            /* a program of 32 bits: the kernel followed frame pointers */
	DTX_END_NOCODE,           /* what should be the return address leads to no code */
	DTX_END_RETURN,           /* of the kernel: a return probe replaced the return address */
	DTX_END_N
};

/* Where a kernel before 5.16 has the return addresses that it replaced: the first link in struct
 * task_struct, and from a link to its thread and to the address. */
struct dtx_kendoff {
	u64 list, task, address;
};

/* From the kernel's tree of what BPF has made (struct latch_tree_root) to its trees, between these,
 * from a node to struct bpf_ksym, between its nodes; members of both. */
struct dtx_symoff {
	u64 trees, tree_size, node, node_size, left, right, start, end, name;
};

/* Value of a map of stacks: this, then the frames, 64 bits each. */
struct dtx_stack {
	u32 pid;                  /* of the process whose addresses it has; 0: it has none */
	u32 exec;                 /* DTX_EXEC_OF() it */
	u16 n;                    /* frames */
	u8 end;                   /* enum dtx_stack_end */
	u8 zero[5];
};

/*
 * Where a stack is if its own place in the map cannot be had: a program that interrupts another one
 * in the same part of the map gets no lock there.
 */
#define DTX_STACK_PLACES  3
#define DTX_STACK_AT(id, n)  ((id) ^ (n) * 0x9e3779b97f4a7c15ull)

/* Identity of a file: another file in its place differs in one of these. */
struct dtx_objkey {
	u64 ino;
	s64 size;
	s64 mtime;                /* seconds, and nanoseconds */
	u32 nsec;
	u32 dev;                  /* the kernel's number: major << 20 | minor */
};

/* Value of the map dtx_objects. */
struct dtx_object {
	u32 number;               /* 0: no code of a file: its frames are addresses */
	u32 table;                /* index in dtx_tables, or one of these: */
};
#define DTX_TABLE_MAKING  0u
#define DTX_TABLE_VDSO    1u
#define DTX_TABLE_FIRST   2u
#define DTX_TABLE_GONE    0xfffffffdu    /* it was freed: the consumer is told of the file again */
#define DTX_TABLE_ASK     0xfffffffeu    /* code without a file: dtx_jits may have one */
#define DTX_TABLE_NONE    0xffffffffu

/* The try-th number for a file: the first depends on the file only. */
static inline __attribute__((always_inline)) u32 dtx_object_number(const struct dtx_objkey *k,
								   u32 attempt)
{
	u64 h = k->ino * 0x9e3779b97f4a7c15ull ^ k->dev;

	h = h * 0x9e3779b97f4a7c15ull ^ k->size;
	h = (h ^ h >> 29) * 0x9e3779b97f4a7c15ull ^ k->mtime;
	h = (h ^ h >> 31) * 0x9e3779b97f4a7c15ull ^ k->nsec;
	h = (h ^ h >> 29) * 0x9e3779b97f4a7c15ull;
	h = (h >> (64 - DTX_OBJECT_BITS)) + attempt;
	h &= (1u << DTX_OBJECT_BITS) - 1;
	return h < DTX_OBJECT_FIRST ? h + DTX_OBJECT_FIRST : h;
}
#define DTX_OBJECT_TRIES  8

#define DTX_OBJECTS_MAX   16384   /* files */
#define DTX_TABLES_MAX    32768   /* numbers: none is given out twice */
#define DTX_SIGHTS_BYTES  (256u * 1024)
#define DTX_PATH_MAX      1024    /* bytes of a path; a power of two */

/* What the consumer is told of a file when it is seen first.  number 0: a question for a JVM in the
 * process, whose struct mm_struct is key.ino; DTX_SIGHT_PYTHON: for an interpreter of Python in the
 * process with the struct dtx_pykey start, end, tgid; its executable has the key and path;
 * DTX_SIGHT_JIT: for the table of the code at start … end, in the process with the struct mm_struct
 * key.ino; DTX_SIGHT_PAGE: for the page `end` of the file with the table `start`. */
#define DTX_SIGHT_PYTHON  2u
#define DTX_SIGHT_JIT     3u
#define DTX_SIGHT_PAGE    4u
struct dtx_sight {
	struct dtx_objkey key;
	u32 number, pid;
	u64 start, end;           /* of the mapping it was seen in */
	u32 at, zero;             /* where the path begins; it ends with the array */
	u32 tgid, times;          /* of Python: which time it is asked */
	u64 sp;                   /* of the frame that led there */
	char path[DTX_PATH_MAX];
};

/* Pages that were asked for: table << 32 | page -> when, ns. */
#define DTX_ASKED_MAX     1024
#define DTX_ASKED_WAIT    50000000ull    /* ns until it is asked again */

/*
 * Compiled code of a Java virtual machine (HotSpot): which functions have frames of which size is
 * in the memory of the process, and read there at each frame.  The consumer is told of a process
 * with code that is in no file (a sight with number 0 and the process's mm as inode), and answers
 * with this, a value of the map dtx_jvms.
 */
#define DTX_JVM_HEAPS     4
#define DTX_JVMS_MAX      256
struct dtx_jvm_key {
	u64 mm;                   /* address of its struct mm_struct */
	u32 pid, zero;
};
struct dtx_jvm {
	u32 nheaps;               /* 0: it is none, or not known yet */
	u32 shift;                /* segments of the heaps have 1 << shift bytes */
	struct { u64 low, high, segmap; } heap[DTX_JVM_HEAPS];
	u32 header;               /* bytes of a block before its CodeBlob */
	u32 name, frame_size, complete, code;            /* members of CodeBlob: offsets */
	u8 short_complete;        /* `complete` has two bytes, not four */
	u8 code_is_offset;        /* `code` is counted from the CodeBlob, else an address */
	u16 zero;
};

/*
 * Code without a file, whose compiler (LLVM) keeps its call frame information in the memory of the
 * process.  The consumer is told of such code when a stack ends there that should not, and answers
 * with a table.  The place may have other code later: it is known again by some of its words.
 */
#define DTX_JIT_WORDS     8
#define DTX_JITS_MAX      1024
#define DTX_JIT_WAIT      10000000ull    /* ns until it is asked again; then twice that, … */
#define DTX_JIT_WAIT_MAX  10000000000ull
struct dtx_jit_key {
	u64 mm;                   /* address of its struct mm_struct */
	u64 start;                /* of the mapping */
	u32 pid, zero;
};
struct dtx_jit {
	u64 end;                  /* of the mapping */
	u64 asked, wait;          /* ns: when, by the monotonic clock; when again */
	u32 table;                /* as in struct dtx_object */
	u32 zero;
	struct { u64 addr, word; } words[DTX_JIT_WORDS];         /* if it has a table */
};

/* Offsets in kernel objects, for the walk. */
struct dtx_walkoff {
	u64 mm, stack, flags, utask;                     /* struct task_struct */
	u64 regs;                                        /* from its stack to the user registers */
	u64 page;                                        /* PAGE_SIZE, where ARCH_PAGE is 0 */
	u64 tree, rbtree, vdso;                          /* struct mm_struct */
	u64 mm_seq, mm_start;                            /* of it: changes, 0: not counted */
	u64 vm_start, vm_end, vm_flags, vm_pgoff, vm_file, vm_rb;
	u64 f_inode, f_mnt, f_dentry, f_mode;            /* struct file */
	u64 user_mnt, user_dentry;                       /* struct backing_file, 0: none */
	u64 d_inode;                                     /* struct dentry */
	u64 i_sb, i_ino, i_size, i_sec, i_nsec, s_dev;   /* struct inode, super_block */
	u64 d_parent, d_name, d_name_len;                /* struct dentry */
	u64 mnt, mnt_parent, mnt_mountpoint, mnt_root;   /* struct mount */
	u64 returns, ri_stack, ri_address, ri_next;      /* of return probes */
};

_Static_assert(sizeof(struct dtx_stack) == 16, "stack");
_Static_assert(sizeof(struct dtx_objkey) == 32, "identity of a file");

#endif
