/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * python.h - frames of Python programs (pystack()): what the kernel side and the user side share.
 * No includes: the file that includes this defines u8 … u64, s64, and includes dtx/stack.h.
 *
 *   dtx_pyexes   executable -> where its interpreter is         user side ──► programs
 *   dtx_pyprocs  process -> the same                            both
 *   dtx_pyoffs   row -> offsets in the interpreter's structures user side ──► programs
 *   dtx_pysites  a place in a code object -> its frame          programs
 *   dtx_pyfuncs  number of a function -> its names              programs ──► user side
 *
 * A frame is the number of a function and a line, so it is the same in each process that runs the
 * program, and has its names when the process has ended.  The number is a hash of the names.
 * Why: docs/decisions/41-python-frames.md
 */
#ifndef DTX_PYTHON_H
#define DTX_PYTHON_H

/* A frame of Python: no address has bit 62 without bit 63. */
#define DTX_FRAME_PY       (1ull << 62)
#define DTX_FRAME_IS_PY(f) ((f) >> 62 == 1)
#define DTX_PY_LINE_BITS   20
#define DTX_PY_LINE(f)     ((f) & ((1u << DTX_PY_LINE_BITS) - 1))    /* 0: not known */
#define DTX_PY_FUNC(f)     (((f) & (DTX_FRAME_PY - 1)) >> DTX_PY_LINE_BITS)
#define DTX_PY_FUNC_BITS   (62 - DTX_PY_LINE_BITS)

/* Why a stack has no frames; after enum dtx_stack_end.  Texts: runtime/stack/pyframe.c. */
enum dtx_py_end {
	DTX_END_PY_FIRST = 16,
	DTX_END_PY_ASKED = DTX_END_PY_FIRST,     /* its interpreter is being looked for */
	DTX_END_PY_NONE,                         /* no Python in this process */
	DTX_END_PY_OTHER,                        /* a version without offsets */
	DTX_END_PY_THREAD,                       /* no Python in this thread, or not yet */
	DTX_END_PY_IDLE,                         /* the thread runs no function of Python */
	DTX_END_PY_N
};

/*
 * Offsets in structures of CPython, in bytes.  Names are those of its headers
 * (Include/internal/pycore_*.h).  Of a frame half of DTX_PY_NEAR bytes are read, of a code object
 * all.
 */
struct dtx_pyoff {
	u32 interpreters;        /* _PyRuntimeState.interpreters.head */
	u32 interp_next;         /* PyInterpreterState: next, threads.head */
	u32 interp_threads;
	u32 gil;                 /* ceval.gil, 0: the runtime has the holder itself */
	u32 holder;              /* the thread that has the lock; 0: not used */
	u32 thread_next;         /* PyThreadState: next, native_thread_id */
	u32 thread_id;
	u32 thread_frame;        /* current_frame, or cframe if there is an offset in that */
	u32 cframe;              /* _PyCFrame.current_frame + 1; 0: there is none */
	u32 previous;            /* _PyInterpreterFrame: previous, f_code, prev_instr, owner */
	u32 code, instr, owner;
	u32 filename, qualname, linetable, firstline;    /* PyCodeObject */
	u32 instrs;              /* co_code_adaptive */
	u32 ascii, compact;      /* text of a str: after PyASCIIObject, PyCompactUnicodeObject */
	s64 code_type;           /* PyCode_Type - _PyRuntime */
};
#define DTX_PY_NEAR        144
#define DTX_PY_OFFS_MAX    64      /* rows of dtx_pyoffs: one for each file with an interpreter */

/* A process that runs a program: the places of its stack and its code change with each exec. */
struct dtx_pykey {
	u64 stack, code;         /* start_stack, start_code of its struct mm_struct */
	u32 tgid, zero;
};

/* Value of dtx_pyprocs. */
struct dtx_pyproc {
	u64 runtime;             /* address of _PyRuntime */
	u64 until;               /* CLOCK_MONOTONIC, ns: then it is asked again; 0: never */
	u32 row;                 /* DTX_PY_FIRST + index of dtx_pyoffs, or one of these: */
	u32 times;               /* how often it was asked */
};
#define DTX_PY_ASKED   0u
#define DTX_PY_NONE    1u
#define DTX_PY_OTHER   2u
#define DTX_PY_FIRST   3u
#define DTX_PY_PATIENCE  100000000ull    /* ns: the first time between two questions */

/* Value of dtx_pyexes, by struct dtx_objkey. */
struct dtx_pyexe {
	u64 runtime;             /* address of _PyRuntime, or its distance from start_code */
	u32 row;                 /* as above */
	u32 moves;               /* the distance */
};

#define DTX_PY_PROCS_MAX   16384
#define DTX_PY_EXES_MAX    256
#define DTX_PY_SITES_MAX   32768
#define DTX_PY_FUNCS_MAX   16384

/* A place in a code object.  Objects are freed, and others are made in their place: the members
 * tell them apart. */
struct dtx_pysite {
	struct dtx_pykey proc;
	u64 code, filename, qualname, linetable;
	u64 hash;                /* of the name, as the interpreter keeps it */
	u32 firstline;
	u32 instr;               /* index of the instruction + 1 */
};

#define DTX_PY_FILE    256
#define DTX_PY_NAME    160

/* A text: its last or first bytes. */
struct dtx_pytext {
	u16 len;                 /* bytes */
	u8 kind;                 /* bytes of a character: 1 (Latin-1), 2, 4; 0: not readable */
	u8 cut;
};

/* Value of dtx_pyfuncs. */
struct dtx_pyfunc {
	u32 firstline;
	struct dtx_pytext of_file, of_name;
	u32 zero;
	u8 file[DTX_PY_FILE];    /* its end */
	u8 name[DTX_PY_NAME];    /* its begin */
};

/* Offsets in kernel objects. */
struct dtx_pykoff {
	u64 mm, thread_pid, tgid, parent, group_leader;  /* struct task_struct */
	u64 exe_file, start_code, start_stack;   /* struct mm_struct */
	u64 level, numbers, upid_size;           /* struct pid; numbers: of nr */
};

_Static_assert(sizeof(struct dtx_pyfunc) % 8 == 0, "words of a function");
_Static_assert(sizeof(struct dtx_pysite) == 72, "place in a code object");

#endif
