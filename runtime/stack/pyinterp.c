/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pyinterp.c - the interpreter of Python in a program or library: where it is, its version, and the
 * offsets in its structures (python.def).
 *
 * The symbols are in .dynsym, because extension modules use them.  Nothing is believed: offsets
 * that an interpreter tells of itself have to lie in what is read.
 * Why: docs/decisions/41-python-frames.md
 */
#include <stdlib.h>
#include <unistd.h>

#include <gelf.h>

#include "runtime/code/tables.h"
#include "runtime/stack/stack.h"

/* _Py_DebugOffsets of CPython 3.13 (Include/internal/pycore_runtime.h), as words. */
enum told {
	TOLD_COOKIE, TOLD_VERSION, TOLD_FREE_THREADED,
	TOLD_INTERPRETERS = 5,
	TOLD_INTERP_NEXT = 8, TOLD_INTERP_THREADS, TOLD_GIL = 14, TOLD_HOLDER = 18,
	TOLD_THREAD_NEXT = 21, TOLD_THREAD_FRAME = 23, TOLD_THREAD_ID = 25,
	TOLD_PREVIOUS = 29, TOLD_CODE, TOLD_INSTR, TOLD_OWNER = 33,
	TOLD_FILENAME = 35, TOLD_QUALNAME = 37, TOLD_LINETABLE, TOLD_FIRSTLINE, TOLD_INSTRS = 43,
	TOLD_ASCII = 70,
	TOLD_N
};
#define SYMBOLS_MOST  2000000    /* of a file; an interpreter has some thousand */
#define TOLD_TEXT     "xdebugpy"
#define TOLD_COMPACT  16          /* PyCompactUnicodeObject: utf8_length, utf8 */

static const struct row {
	u32 version;
	bool told;
	struct dtx_pyoff off;
} rows[] = {
#define PYTHON(major, minor, ...)       { major << 8 | minor, false, { __VA_ARGS__ } },
#define PYTHON_TOLD(major, minor)       { major << 8 | minor, true, { 0 } },
#include "runtime/stack/python.def"
#undef PYTHON
#undef PYTHON_TOLD
};

/* Frames are read up to half of DTX_PY_NEAR, code objects up to it; the rest may be anywhere. */
static bool python_fits(const struct dtx_pyoff *o)
{
	const u32 frame[] = { o->previous, o->code, o->instr };
	const u32 code[] = { o->filename, o->qualname, o->linetable, o->firstline };
	bool fits = o->owner < DTX_PY_NEAR / 2;

	for (u32 i = 0; i < ARRAY_SIZE(frame); i++)
		fits &= frame[i] <= DTX_PY_NEAR / 2 - 8;
	for (u32 i = 0; i < ARRAY_SIZE(code); i++)
		fits &= code[i] <= DTX_PY_NEAR - 8;
	return fits;
}

static bool python_told(const u64 *told, size_t n, u32 version, struct dtx_pyoff *o)
{
	if (n < TOLD_N || memcmp(&told[TOLD_COOKIE], TOLD_TEXT, 8) ||
	    told[TOLD_VERSION] >> 16 != version || told[TOLD_FREE_THREADED])
		return false;
	for (u32 i = TOLD_INTERPRETERS; i < TOLD_N; i++)
		if (told[i] > UINT32_MAX / 2)
			return false;
	*o = (struct dtx_pyoff){
		.interpreters = told[TOLD_INTERPRETERS], .interp_next = told[TOLD_INTERP_NEXT],
		.interp_threads = told[TOLD_INTERP_THREADS], .gil = told[TOLD_GIL],
		.holder = told[TOLD_HOLDER], .thread_next = told[TOLD_THREAD_NEXT],
		.thread_id = told[TOLD_THREAD_ID], .thread_frame = told[TOLD_THREAD_FRAME],
		.previous = told[TOLD_PREVIOUS], .code = told[TOLD_CODE],
		.instr = told[TOLD_INSTR], .owner = told[TOLD_OWNER],
		.filename = told[TOLD_FILENAME], .qualname = told[TOLD_QUALNAME],
		.linetable = told[TOLD_LINETABLE], .firstline = told[TOLD_FIRSTLINE],
		.instrs = told[TOLD_INSTRS], .ascii = told[TOLD_ASCII],
		.compact = told[TOLD_ASCII] + TOLD_COMPACT,
	};
	return python_fits(o);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Addresses of the symbols, 0: not there. */
struct symbols { u64 runtime, version, code_type; };

static bool is_name(const Elf_Data *names, u64 at, const char *name)
{
	size_t len = strlen(name) + 1;

	return at < names->d_size && len <= names->d_size - at &&
	       !memcmp((const char *)names->d_buf + at, name, len);
}

static void symbols_read(Elf *elf, struct symbols *s)
{
	Elf_Data *syms = elf_section(elf, ".dynsym", NULL), *names;
	GElf_Sym sym;

	names = syms ? elf_section(elf, ".dynstr", NULL) : NULL;
	for (int i = 0; names && i < SYMBOLS_MOST && gelf_getsym(syms, i, &sym); i++) {
		if (!sym.st_value)
			continue;
		if (is_name(names, sym.st_name, "_PyRuntime"))
			s->runtime = sym.st_value;
		else if (is_name(names, sym.st_name, "Py_Version"))
			s->version = sym.st_value;
		else if (is_name(names, sym.st_name, "PyCode_Type"))
			s->code_type = sym.st_value;
	}
}

/* Reads words at an address of the object out of its file; returns how many there are. */
static size_t words_at(int fd, Elf *elf, u64 addr, u64 *to, size_t n)
{
	size_t nsegs = 0;
	GElf_Phdr ph;
	ssize_t got = 0;

	elf_getphdrnum(elf, &nsegs);
	for (int i = 0; (size_t)i < nsegs && gelf_getphdr(elf, i, &ph); i++)
		if (ph.p_type == PT_LOAD && addr - ph.p_vaddr < ph.p_filesz)
			got = pread(fd, to, n * sizeof(*to),
				    (off_t)(ph.p_offset + (addr - ph.p_vaddr)));
	return got > 0 ? (size_t)got / sizeof(*to) : 0;
}

static bool offsets_of(int fd, Elf *elf, struct python *py)
{
	u64 told[TOLD_N];
	const struct row *r = rows;

	while (r < rows + ARRAY_SIZE(rows) && r->version != py->version)
		r++;
	if (r == rows + ARRAY_SIZE(rows))
		return false;
	py->off = r->off;
	return r->told ? python_told(told, words_at(fd, elf, py->runtime, told, TOLD_N),
				     py->version, &py->off)
		       : python_fits(&py->off);
}

/* Where its code is: the address of the first byte that is mapped executable. */
static u64 first_code(Elf *elf)
{
	u64 first = ~0ull;
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (int i = 0; (size_t)i < n && gelf_getphdr(elf, i, &ph); i++)
		if (ph.p_type == PT_LOAD && ph.p_flags & PF_X)
			first = MIN(first, (u64)ph.p_vaddr);
	return first;
}

static bool python_elf(int fd, Elf *elf, struct python *py)
{
	struct symbols s = { 0 };
	GElf_Ehdr head;
	u64 version;

	if (!gelf_getehdr(elf, &head) || head.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	symbols_read(elf, &s);
	if (!s.runtime)
		return false;
	py->runtime = s.runtime;
	py->code = first_code(elf);
	py->moves = head.e_type == ET_DYN;
	if (s.version && s.code_type && words_at(fd, elf, s.version, &version, 1) == 1)
		py->version = version >> 16 & 0xffff;
	py->known = offsets_of(fd, elf, py);
	py->off.code_type = (s64)(s.code_type - s.runtime);
	return true;
}

bool python_read(int fd, struct python *py)
{
	Elf *elf;
	bool found;

	*py = (struct python){ 0 };
	elf_version(EV_CURRENT);
	elf = elf_open_fd(fd);
	found = elf && python_elf(fd, elf, py);
	elf_end(elf);
	return found;
}
