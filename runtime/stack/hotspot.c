/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot.c - where a Java virtual machine (HotSpot) keeps its compiled code, for
 * bpf/stack/jvm.bpf.c.
 *
 * libjvm describes its own structures for tools that look at it from outside: the variables
 * gHotSpotVMStruct… lead to a list of members, with the names of their types, their offsets, and
 * the addresses of static ones (src/hotspot/share/runtime/vmStructs.hpp of OpenJDK).  All of it is
 * read from the memory of a process: nothing there is trusted.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/stack/stack.h"

#define MEMBERS_MOST  20000              /* JDK 17 has 1,500 */
#define NAME_BYTES    40

/* What is needed of the list. */
enum {
	HEAPS, LEN, LEN_OLD, DATA, LOW, LOW_END, HIGH_END, MEMORY, SEGMAP, SHIFT, USED,
	NAME, FRAME, COMPLETE, CODE, CODE_OFFSET, MEMBERS,
};
static const struct { const char *type, *name; } members[MEMBERS] = {
	[HEAPS] = { "CodeCache", "_heaps" },
	[LEN] = { "GrowableArrayBase", "_len" },
	[LEN_OLD] = { "GenericGrowableArray", "_len" },         /* before JDK 16 */
	[DATA] = { "GrowableArray<int>", "_data" },
	[LOW] = { "VirtualSpace", "_low" },
	[LOW_END] = { "VirtualSpace", "_low_boundary" },
	[HIGH_END] = { "VirtualSpace", "_high_boundary" },
	[MEMORY] = { "CodeHeap", "_memory" },
	[SEGMAP] = { "CodeHeap", "_segmap" },
	[SHIFT] = { "CodeHeap", "_log2_segment_size" },
	[USED] = { "HeapBlock::Header", "_used" },
	[NAME] = { "CodeBlob", "_name" },
	[FRAME] = { "CodeBlob", "_frame_size" },
	[COMPLETE] = { "CodeBlob", "_frame_complete_offset" },
	[CODE] = { "CodeBlob", "_code_begin" },
	[CODE_OFFSET] = { "CodeBlob", "_code_offset" },         /* since JDK 23 */
};

struct vm {
	int mem;
	u64 base;                        /* of libjvm */
	struct codefile *lib;            /* libjvm; NULL: the process has none */
	struct dtx_env *env;
	u32 pid;
	u64 value[MEMBERS];              /* offset, or address of a static member */
	bool has[MEMBERS];
	bool short_complete;
};

/* 0, if it cannot be read. */
static u64 word(const struct vm *v, u64 addr, u32 size)
{
	u64 w = 0;

	return pread(v->mem, &w, size, (off_t)addr) == (ssize_t)size ? w : 0;
}

static void name_at(const struct vm *v, u64 addr, char out[NAME_BYTES])
{
	ssize_t n = addr ? pread(v->mem, out, NAME_BYTES - 1, (off_t)addr) : 0;

	out[MAX(n, 0)] = 0;
}

/* ---- the list of members --------------------------------------------------------------------- */

/* Where an entry of the list has what, in bytes. */
struct entry { u64 type, name, string, offset, address, size; };

static void read_member(struct vm *v, const struct entry *e, u64 at)
{
	char type[NAME_BYTES], name[NAME_BYTES];

	name_at(v, word(v, at + e->type, 8), type);
	for (u32 i = 0; i < MEMBERS; i++) {
		if (strcmp(type, members[i].type))
			continue;
		name_at(v, word(v, at + e->name, 8), name);
		if (strcmp(name, members[i].name))
			continue;
		v->has[i] = true;
		v->value[i] = word(v, at + (i == HEAPS ? e->address : e->offset), 8);
		if (i == COMPLETE) {
			name_at(v, word(v, at + e->string, 8), name);
			v->short_complete = !strcmp(name, "int16_t");
		}
	}
}

/* The value of a variable of libjvm. */
static u64 variable(const struct vm *v, struct elfsyms *syms, const char *name)
{
	u64 addr;

	return elfsyms_value(syms, name, &addr) ? word(v, v->base + addr, 8) : 0;
}

static void read_members(struct vm *v, struct elfsyms *syms)
{
	u64 at = variable(v, syms, "gHotSpotVMStructs");
	struct entry e = {
		variable(v, syms, "gHotSpotVMStructEntryTypeNameOffset"),
		variable(v, syms, "gHotSpotVMStructEntryFieldNameOffset"),
		variable(v, syms, "gHotSpotVMStructEntryTypeStringOffset"),
		variable(v, syms, "gHotSpotVMStructEntryOffsetOffset"),
		variable(v, syms, "gHotSpotVMStructEntryAddressOffset"),
		variable(v, syms, "gHotSpotVMStructEntryArrayStride"),
	};

	for (u32 i = 0; i < MEMBERS_MOST && at && e.size && word(v, at + e.type, 8); i++) {
		read_member(v, &e, at);
		at += e.size;
	}
}

/* ---- the code cache -------------------------------------------------------------------------- */

static bool read_heaps(const struct vm *v, struct dtx_jvm *out)
{
	const u64 *o = v->value;
	u64 list = word(v, o[HEAPS], 8), data = word(v, list + o[DATA], 8);
	u32 n = (u32)word(v, list + (v->has[LEN] ? o[LEN] : o[LEN_OLD]), 4);

	if (!list || !data || !n || n > DTX_JVM_HEAPS)
		return false;
	for (u32 i = 0; i < n; i++) {
		u64 heap = word(v, data + 8 * i, 8);

		out->heap[i].low = word(v, heap + o[MEMORY] + o[LOW_END], 8);
		out->heap[i].high = word(v, heap + o[MEMORY] + o[HIGH_END], 8);
		out->heap[i].segmap = word(v, heap + o[SEGMAP] + o[LOW], 8);
		out->shift = (u32)word(v, heap + o[SHIFT], 4);
	}
	out->nheaps = n;
	return true;
}

static bool read_cache(const struct vm *v, struct dtx_jvm *out)
{
	const u64 *o = v->value;

	for (u32 i = 0; i < MEMBERS; i++)
		if (!v->has[i] && i != LEN && i != LEN_OLD && i != CODE && i != CODE_OFFSET)
			return false;
	*out = (struct dtx_jvm){
		.header = o[USED] >= 8 ? 16 : 8,         /* its length, a bool, padding */
		.name = (u32)o[NAME], .frame_size = (u32)o[FRAME], .complete = (u32)o[COMPLETE],
		.code = (u32)(v->has[CODE] ? o[CODE] : o[CODE_OFFSET]),
		.short_complete = v->short_complete, .code_is_offset = !v->has[CODE],
	};
	return (v->has[CODE] || v->has[CODE_OFFSET]) && (v->has[LEN] || v->has[LEN_OLD]) &&
	       read_heaps(v, out);
}

/* ---- the process ----------------------------------------------------------------------------- */

static bool find_libjvm(void *arg, struct proc_map *m)
{
	struct vm *v = arg;
	const char *name = strrchr(m->path, '/');
	struct proc_mapped its;

	if (!name || strcmp(name, "/libjvm.so"))
		return true;
	v->base = m->start - m->off;
	its = proc_mapped_of(v->pid, m);
	v->lib = codefile_mapped(v->env, &its);
	return false;
}

bool hotspot_read(struct dtx_env *env, u32 pid, struct dtx_jvm *out)
{
	struct vm v = { .env = env, .pid = pid };
	struct elfsyms *syms;
	char path[32];
	bool found = false;

	procmap_each(pid, find_libjvm, &v);
	if (!v.lib)
		return false;
	syms = codefile_symbols(v.lib);
	snprintf(path, sizeof(path), "/proc/%u/mem", pid);
	v.mem = open(path, O_RDONLY | O_CLOEXEC);
	if (syms && v.mem >= 0) {
		read_members(&v, syms);
		found = read_cache(&v, out);
	}
	if (v.mem >= 0)
		close(v.mem);
	return found;
}
