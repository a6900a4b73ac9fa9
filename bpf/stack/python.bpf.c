/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * python.bpf.c - frames of Python: from the process to its interpreter, to the state of the thread,
 * and along the frames.
 *
 * Structures are read by the offsets of the interpreter's version (struct dtx_pyoff).  The program
 * may have damaged them: every loop is bounded, each code object must have the type of one, and
 * what cannot be read ends the stack with the reason.
 * Why: docs/decisions/41-python-frames.md
 */
#include "stack/walk.h"
#include <dtx/python.h>

#define PY_INTERPRETERS  16      /* searched for the thread */
#define PY_THREADS       512
#define PY_FRAMES        (2 * DTX_STACK_MAX)     /* those of C between them are left out */
#define PY_CHUNK         64     /* bytes of a line table that one function looks at */
#define PY_CHUNKS        1024
#define PY_NATIVE        3       /* FRAME_OWNED_BY_CSTACK: a call from C */

#define PYKOFF(member)  DECIDED("dtx_pykoff", __builtin_offsetof(struct dtx_pykoff, member))

struct py_walk {
	struct dtx_pyoff off;
	struct dtx_pykey proc;
	struct dtx_pysite site;
	struct dtx_pyfunc func;
	u64 mm, runtime, frame;
	u8 near[DTX_PY_NEAR + 8];        /* a structure */
	/* The line table: where it is in it. */
	u8 chunk[PY_CHUNK];
	u64 left;                        /* instructions before the one that is looked for */
	u64 size;                        /* of the table */
	u64 value;                       /* of the number that is being read */
	s64 line;
	u32 shift, number, found, none;
	u32 kept;                        /* the names of the function are in their map */
};

_Static_assert(sizeof(struct py_walk) <= DTX_PY_BYTES, "state of a walk along Python's frames");

extern char dtx_pyexes[], dtx_pyprocs[], dtx_pyoffs[], dtx_pysites[], dtx_pyfuncs[];

static inline __attribute__((always_inline)) struct py_walk *py_state(u64 level)
{
	char *slot = str_slot(level);

	if (!slot)
		return NULL;
	barrier_var(slot); /* nothing is added to it before that check */
	return (struct py_walk *)(slot + OPT(walk) + DTX_WALK_BYTES);
}

static inline __attribute__((always_inline)) u64 user_word(u64 addr)
{
	u64 v = 0;

	bpf_probe_read_user(&v, sizeof(v), (void *)addr);
	return v;
}

/* A word of the structure that was read. */
static inline __attribute__((always_inline)) u64 near_word(struct py_walk *p, u32 off)
{
	u64 at = str_clamp(off, DTX_PY_NEAR);

	return *(volatile u64 *)(p->near + at);
}

/* n: a constant; the structure may be the last thing in memory. */
static inline __attribute__((always_inline)) bool near_read(struct py_walk *p, u64 addr, u32 n)
{
	return !bpf_probe_read_user(p->near, n, (void *)addr);
}

/* ---- the process ----------------------------------------------------------------------------- */

/* The interpreter is in the executable, which was seen before. */
DTX_GLOBAL u64 dtx_g_py_exe(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	struct py_walk *p = py_state(level);
	struct dtx_pyproc proc = { 0 };
	const struct dtx_pyexe *exe;
	u64 file, inode, user;

	if (!w || !p)
		return 0;
	file = kernel_word(p->mm + PYKOFF(exe_file));
	inode = kernel_word(file + WALKOFF(f_inode));
	if (!inode)
		return 0;
	user = dtx_g_user_inode(file, inode);
	walk_file_key(w, user ? user : inode);
	exe = bpf_map_lookup_elem(dtx_pyexes, &w->sight.key);
	if (!exe)
		return 0;
	proc.row = exe->row;
	proc.runtime = exe->runtime;
	if (exe->moves)
		proc.runtime += p->proc.code;
	bpf_map_update_elem(dtx_pyprocs, &p->proc, &proc, BPF_ANY);
	return 1;
}

/* A process that was forked has the interpreter where its parent has it. */
DTX_GLOBAL u64 dtx_g_py_parent(u64 level)
{
	struct py_walk *p = py_state(level);
	u64 task = kernel_word(bpf_get_current_task() + PYKOFF(group_leader));
	const struct dtx_pyproc *its;
	struct dtx_pyproc proc;
	u32 tgid;

	if (!p)
		return 0;
	tgid = p->proc.tgid;
	p->proc.tgid = kernel_half(kernel_word(task + PYKOFF(parent)) + PYKOFF(tgid));
	its = bpf_map_lookup_elem(dtx_pyprocs, &p->proc);
	p->proc.tgid = tgid;
	if (!its || its->row < DTX_PY_FIRST)
		return 0;
	proc = *its;
	bpf_map_update_elem(dtx_pyprocs, &p->proc, &proc, BPF_ANY);
	return 1;
}

/* Asks the user side where the interpreter of the process is; row: what is known until then. */
DTX_GLOBAL u64 dtx_g_py_ask(u64 level, u64 pid, u64 times, u64 row)
{
	struct dtx_walk *w = walk_state(level);
	struct py_walk *p = py_state(level);
	struct dtx_pyproc proc = { 0 };

	if (!w || !p)
		return 0;
	proc.row = row;
	proc.times = times + 1;
	proc.until = bpf_ktime_get_ns() + (DTX_PY_PATIENCE << (times < 10 ? times : 10));
	if (bpf_map_update_elem(dtx_pyprocs, &p->proc, &proc, BPF_ANY))
		return 0;
	dtx_g_sight_path(level, kernel_word(p->mm + PYKOFF(exe_file)) + WALKOFF(f_mnt));
	w->sight.number = DTX_SIGHT_PYTHON;
	w->sight.pid = pid;
	w->sight.start = p->proc.stack;
	w->sight.end = p->proc.code;
	w->sight.tgid = p->proc.tgid;
	w->sight.times = proc.times;
	if (bpf_ringbuf_output(dtx_sights, &w->sight, sizeof(w->sight), BPF_RB_FORCE_WAKEUP))
		bpf_map_delete_elem(dtx_pyprocs, &p->proc);
	return 0;
}

/* Finds the interpreter of the process: 0, or why there is none. */
DTX_GLOBAL u64 dtx_g_py_process(u64 level, u64 pid)
{
	struct py_walk *p = py_state(level);
	const struct dtx_pyproc *proc;
	const struct dtx_pyoff *off;
	u32 row;

	if (!p)
		return DTX_END_PY_NONE;
	p->mm = kernel_word(bpf_get_current_task() + PYKOFF(mm));
	if (!p->mm)
		return DTX_END_PY_NONE;
	p->proc.stack = kernel_word(p->mm + PYKOFF(start_stack));
	p->proc.code = kernel_word(p->mm + PYKOFF(start_code));
	p->proc.tgid = bpf_get_current_pid_tgid() >> 32;
	p->proc.zero = 0;
	proc = bpf_map_lookup_elem(dtx_pyprocs, &p->proc);
	if (!proc && (dtx_g_py_exe(level) || dtx_g_py_parent(level)))
		proc = bpf_map_lookup_elem(dtx_pyprocs, &p->proc);
	if (!proc || (proc->until && proc->until < bpf_ktime_get_ns())) {
		row = proc ? proc->row : DTX_PY_ASKED;
		dtx_g_py_ask(level, pid, proc ? proc->times : 0, row);
	} else {
		row = proc->row;
	}
	if (row < DTX_PY_FIRST)
		return row + DTX_END_PY_ASKED;
	if (!proc)
		return DTX_END_PY_ASKED;
	p->runtime = proc->runtime;
	row -= DTX_PY_FIRST;
	off = bpf_map_lookup_elem(dtx_pyoffs, &row);
	if (!off)
		return DTX_END_PY_OTHER;
	__builtin_memcpy(&p->off, off, sizeof(p->off));
	return 0;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Number of the thread in its own pid namespace, as gettid() gives it. */
static inline __attribute__((always_inline)) u64 own_number(void)
{
	u64 pid = kernel_word(bpf_get_current_task() + PYKOFF(thread_pid));
	u64 level = kernel_half(pid + PYKOFF(level));

	return kernel_half(pid + PYKOFF(numbers) + level * PYKOFF(upid_size));
}

/* The state of the thread in one interpreter, 0: none. */
DTX_GLOBAL u64 dtx_g_py_thread(u64 level, u64 interp, u64 tid)
{
	struct py_walk *p = py_state(level);
	u64 state;

	if (!p)
		return 0;
	/* It is the one that has the lock, if it runs the interpreter. */
	if (p->off.holder) {
		u64 lock = p->off.gil ? user_word(interp + p->off.gil) : p->runtime;

		state = user_word(lock + p->off.holder);
		if (state && user_word(state + p->off.thread_id) == tid)
			return state;
	}
	state = user_word(interp + p->off.interp_threads);
	for (u32 i = 0; i < PY_THREADS && state; i++) {
		if (user_word(state + p->off.thread_id) == tid)
			return state;
		state = user_word(state + p->off.thread_next);
	}
	return 0;
}

/* The first frame of the thread, in p->frame: 0, or why there is none. */
DTX_GLOBAL u64 dtx_g_py_begin(u64 level)
{
	struct py_walk *p = py_state(level);
	u64 interp, state = 0, tid = own_number();

	if (!p)
		return DTX_END_PY_NONE;
	interp = user_word(p->runtime + p->off.interpreters);
	for (u32 i = 0; i < PY_INTERPRETERS && interp && !state; i++) {
		state = dtx_g_py_thread(level, interp, tid);
		interp = user_word(interp + p->off.interp_next);
	}
	if (!state)
		return DTX_END_PY_THREAD;
	p->frame = user_word(state + p->off.thread_frame);
	if (p->off.cframe)
		p->frame = user_word(p->frame + p->off.cframe - 1);
	return p->frame ? 0 : DTX_END_PY_IDLE;
}

/* ---- the line -------------------------------------------------------------------------------- */

/*
 * Bytes of a line table: 1 at its end.  An entry begins with a byte that has bit 7: its kind (bits
 * 3 to 6) and how many instructions it is for.  A signed number follows in kinds 13 and 14: six
 * bits a byte, the lowest first, bit 6 in all but the last; the lowest bit of the number is its
 * sign.
 */
DTX_GLOBAL u64 dtx_g_py_lines(u64 level, u64 from)
{
	struct py_walk *p = py_state(level);
	u64 n;

	if (!p || from >= p->size)
		return 1;
	n = str_clamp(p->size - from, PY_CHUNK);
	from += p->site.linetable + 32 /* PyBytesObject.ob_sval */;
	if (bpf_probe_read_user(p->chunk, n, (void *)from)) {
		p->found = 0;
		return 1;
	}
	for (u32 i = 0; i < PY_CHUNK; i++) {
		u32 byte = *(volatile u8 *)&p->chunk[i], kind = byte >> 3 & 15;
		u64 covers = (byte & 7) + 1;

		if (i >= n)
			return 0;
		if (byte & 0x80) {
			if (p->found)
				return 1;
			if (kind >= 10 && kind <= 12)
				p->line += kind - 10;
			p->none = kind == 15;
			p->number = kind == 13 || kind == 14;
			p->value = p->shift = 0;
			p->found = p->left < covers;
			p->left -= covers;
		} else if (p->number) {
			p->value |= (u64)(byte & 63) << (p->shift & 63);
			p->shift += 6;
			if (!(byte & 64)) {
				u64 v = p->value >> 1, sign = -(p->value & 1);

				p->line += (v ^ sign) - sign;
				p->number = 0;
			}
		}
	}
	return 0;
}

/* The line of an instruction, 0: none. */
static inline __attribute__((always_inline)) u64 py_line(struct py_walk *p, u64 level)
{
	p->line = p->site.firstline;
	if (!p->site.instr)              /* it has not begun */
		return p->line;
	p->left = p->site.instr - 1;
	p->number = p->found = p->none = 0;
	p->size = user_word(p->site.linetable + 16 /* PyVarObject.ob_size */);
	for (u32 i = 0; i < PY_CHUNKS; i++)
		if (dtx_g_py_lines(level, i * PY_CHUNK))
			break;
	return p->found && !p->none ? p->line : 0;
}

/* ---- the names ------------------------------------------------------------------------------- */

/*
 * A str: its length in characters, then the size of a character in bits 2 to 4 of its state; bit 5:
 * the text follows the structure, bit 6: it is ASCII (PyASCIIObject of Include/cpython/
 * unicodeobject.h).  end: the end is kept of a text that is too long, else its begin.
 */
static inline __attribute__((always_inline)) void py_text(struct py_walk *p, u64 str,
	struct dtx_pytext *of, u8 *to, u64 room, bool end)
{
	u64 len = user_word(str + 16), state = user_word(str + 32), kind = state >> 2 & 7, n;

	of->kind = 0;
	of->len = 0;
	if (!(state >> 5 & 1) || !kind || len > 1 << 20)
		return;
	len *= kind;
	str += state >> 6 & 1 ? p->off.ascii : p->off.compact;
	of->cut = len > room;
	n = str_clamp(len, room);
	if (end)
		str += len - n;
	if (bpf_probe_read_user(to, n, (void *)str))
		return;
	of->len = n;
	of->kind = kind;
}

/* Number of the function with the names in p->func. */
DTX_GLOBAL u64 dtx_g_py_number(u64 level)
{
	struct py_walk *p = py_state(level);
	u64 h = 0;
	s64 err = 0;

	if (!p)
		return 0;
	for (u32 i = 0; i < sizeof(p->func) / 8; i++)
		h = walk_mix(h, ((volatile u64 *)&p->func)[i]);
	h = h >> (64 - DTX_PY_FUNC_BITS) ? : 1;
	if (!bpf_map_lookup_elem(dtx_pyfuncs, &h))
		err = bpf_map_update_elem(dtx_pyfuncs, &h, &p->func, BPF_NOEXIST);
	/* Not when the kernel has no memory for it at the moment, in an interrupt. */
	p->kept = !err || err == -17 /* EEXIST */ || err == -7 /* E2BIG */;
	return err == -7 ? 0 : h;
}

/* A place that was not seen before: its frame. */
DTX_GLOBAL u64 dtx_g_py_site(u64 level)
{
	struct py_walk *p = py_state(level);
	u64 word, line;

	if (!p)
		return 0;
	__builtin_memset(&p->func, 0, sizeof(p->func));
	p->func.firstline = p->site.firstline;
	py_text(p, p->site.filename, &p->func.of_file, p->func.file, DTX_PY_FILE, true);
	py_text(p, p->site.qualname, &p->func.of_name, p->func.name, DTX_PY_NAME, false);
	line = py_line(p, level);
	if (line >> DTX_PY_LINE_BITS)
		line = 0;
	word = DTX_FRAME_PY | dtx_g_py_number(level) << DTX_PY_LINE_BITS | line;
	/* Memory that the process has not used yet cannot be read: perhaps next time. */
	if (p->kept && p->func.of_file.kind && p->func.of_name.kind)
		bpf_map_update_elem(dtx_pysites, &p->site, &word, BPF_ANY);
	return word;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* The code object at `code`, in p->site.  0: it is none. */
static inline __attribute__((always_inline)) bool py_code(struct py_walk *p, u64 code, u64 instr)
{
	u64 index;

	if (!near_read(p, code, DTX_PY_NEAR) ||
	    near_word(p, 8 /* PyObject.ob_type */) != p->runtime + p->off.code_type)
		return false;
	p->site.proc = p->proc;
	p->site.code = code;
	p->site.filename = near_word(p, p->off.filename);
	p->site.qualname = near_word(p, p->off.qualname);
	p->site.linetable = near_word(p, p->off.linetable);
	p->site.hash = user_word(p->site.qualname + 24 /* PyASCIIObject.hash */);
	p->site.firstline = near_word(p, p->off.firstline);
	index = (instr + 2 - code - p->off.instrs) >> 1;
	p->site.instr = index < 1u << 24 ? index : 0;
	return true;
}

/* One frame: 0 to go on, or how the stack ends. */
DTX_GLOBAL u64 dtx_g_py_frame(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	struct py_walk *p = py_state(level);
	u64 code, instr, *known, word;
	u32 owner;

	if (!w || !p)
		return DTX_END_MEMORY;
	if (!p->frame)
		return DTX_END_START;
	if (w->stack.n >= w->max)
		return DTX_END_CUT;
	if (!near_read(p, p->frame, DTX_PY_NEAR / 2))
		return DTX_END_MEMORY;
	code = near_word(p, p->off.code);
	instr = near_word(p, p->off.instr);
	owner = near_word(p, p->off.owner) & 0xff;
	p->frame = near_word(p, p->off.previous);
	if (owner == PY_NATIVE)
		return 0;
	if (!py_code(p, code, instr))
		return DTX_END_MEMORY;
	known = bpf_map_lookup_elem(dtx_pysites, &p->site);
	word = known ? *known : dtx_g_py_site(level);
	w->hash = walk_mix(w->hash, word);
	w->frame[w->stack.n & (DTX_STACK_MAX - 1)] = word;
	w->stack.n++;
	return 0;
}

DTX_GLOBAL u64 dtx_g_pystack(u64 level, u64 max, u64 pid)
{
	struct dtx_walk *w = walk_state(level);
	u64 end;

	if (!w)
		return 0;
	w->max = max;
	end = dtx_g_py_process(level, pid);
	if (!end)
		end = dtx_g_py_begin(level);
	for (u32 i = 0; i < PY_FRAMES && !end; i++)
		end = dtx_g_py_frame(level);
	w->stack.end = end;
	return 0;
}
