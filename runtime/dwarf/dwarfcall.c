/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfcall.c - how a function is called, as far as debugging information says it: by its language,
 * its compiler and DW_AT_calling_convention.
 */
#include <stdio.h>

#include <dwarf.h>

#include <dtx/arch.h>
#include "runtime/dwarf/dwarf-private.h"

/* ---- the compiler --------------------------------------------------------------------------- */

const char *dwarf_producer(Dwarf_Die *unit)
{
	Dwarf_Attribute a;
	const char *by = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &a));

	return by ? by : "";
}

bool dwarf_is_llvm(Dwarf_Die *unit)
{
	const char *by = dwarf_producer(unit);

	return strstr(by, "clang") || strstr(by, "LLVM");
}

/* ---- the language --------------------------------------------------------------------------- */

/* Languages whose functions are called as C's are.  Numbers that <dwarf.h> does not know are of the
 * list at dwarfstd.org. */
static bool is_like_c(int lang)
{
	static const int like_c[] = {
		DW_LANG_C89, DW_LANG_C, DW_LANG_C99, DW_LANG_C11, DW_LANG_C_plus_plus,
		DW_LANG_C_plus_plus_03, DW_LANG_C_plus_plus_11, DW_LANG_C_plus_plus_14,
		DW_LANG_ObjC, DW_LANG_ObjC_plus_plus, DW_LANG_OpenCL, DW_LANG_UPC,
		DW_LANG_Ada83, DW_LANG_Ada95, DW_LANG_Mips_Assembler,
		0x2a /* C++17 */, 0x2b /* C++20 */, 0x2c /* C17 */, 0x2e /* Ada 2005 */,
		0x2f /* Ada 2012 */, 0x31 /* assembly */, 0x3a /* C++23 */, 0x3e /* C23 */,
	};

	for (u32 i = 0; i < ARRAY_SIZE(like_c); i++)
		if (like_c[i] == lang)
			return true;
	return lang <= 0;                /* not said: it is C's or assembly */
}

static const char *language_convention(int lang)
{
	static const struct { int lang; const char *name; } own[] = {
		{ DW_LANG_Rust, "Rust's" }, { DW_LANG_Go, "Go's" }, { DW_LANG_Swift, "Swift's" },
		{ DW_LANG_Pascal83, "Pascal's" }, { DW_LANG_D, "D's" },
		{ DW_LANG_Fortran77, "Fortran's" }, { DW_LANG_Fortran90, "Fortran's" },
		{ DW_LANG_Fortran95, "Fortran's" }, { DW_LANG_Fortran03, "Fortran's" },
		{ DW_LANG_Fortran08, "Fortran's" }, { 0x2d, "Fortran's" },
		{ 0x3f, "Fortran's" }, { DW_LANG_Modula2, "Modula-2's" },
		{ DW_LANG_OCaml, "OCaml's" }, { DW_LANG_Haskell, "Haskell's" },
		{ DW_LANG_Cobol85, "COBOL's" }, { 0x27, "Zig's" }, { 0x28, "Crystal's" },
		{ 0x3b, "Odin's" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(own); i++)
		if (own[i].lang == lang)
			return own[i].name;
	return is_like_c(lang) ? NULL : "its language's own";
}

/* Of compilers that say C for another language, and options that change the convention of all. */
static const char *compiler_convention(Dwarf_Die *unit)
{
	const char *by = dwarf_producer(unit);

	if (!strncmp(by, "zig ", 4))
		return "Zig's";
	if (!strncmp(by, "odin", 4))
		return "Odin's";
	return strstr(by, " -mabi=ms") ? "ms_abi" : NULL;
}

/* ---- the function --------------------------------------------------------------------------- */

#define CC_PRESERVE_MOST 0xc9
#define CC_PRESERVE_ALL  0xca
#define CC_GNU_BORLAND   0x41            /* what Free Pascal says of all functions */

static u32 convention_code(Dwarf_Die *func)
{
	Dwarf_Attribute a;
	Dwarf_Word code;

	return dwarf_attr_integrate(func, DW_AT_calling_convention, &a) &&
	       !dwarf_formudata(&a, &code) ? (u32)code : DW_CC_normal;
}

/* What LLVM writes of functions that are not called as C's (llvm/BinaryFormat/Dwarf.def; DWARF 5,
 * 3.3.1.1).  gcc writes none. */
const char *dwarf_convention(Dwarf_Die *unit, Dwarf_Die *func)
{
	static const struct { u32 code; const char *name; } others[] = {
		{ DW_CC_nocall, "the optimiser's" }, { 0xb0, "safecall" }, { 0xb1, "stdcall" },
		{ 0xb2, "pascal" }, { 0xb3, "fastcall" }, { 0xb5, "thiscall" },
		{ 0xb6, "fastcall" }, { 0xc0, "vectorcall" }, { 0xc1, "ms_abi" },
		{ 0xc5, "intel_ocl_bicc" }, { 0xc8, "swiftcall" }, { 0xcb, "regcall" },
		{ 0xcd, "preserve_none" }, { 0xcf, "swiftasynccall" },
	};
	u32 code = convention_code(func);
	const char *name = language_convention(dwarf_srclang(unit));

	name = name ? name : compiler_convention(unit);
	for (u32 i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i].code == code)
			return others[i].name;
	if (name || code == DW_CC_normal || code == DW_CC_program || code == ARCH_DWARF_CC ||
	    code == CC_PRESERVE_MOST || code == CC_PRESERVE_ALL || code == CC_GNU_BORLAND)
		return name;
	return "another";
}

/* Free Pascal has a variable for the result: it is in memory of the caller if its address is. */
static bool is_behind(Dwarf_Die *var)
{
	const char *name = dwarf_diename(var);
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	u32 reg;

	if (dwarf_tag(var) != DW_TAG_variable || !name ||
	    (strcmp(name, "$result") && strcmp(name, "result")) ||
	    !dwarf_attr(var, DW_AT_location, &a) || dwarf_getlocation(&a, &ops, &n) || !n)
		return false;
	if (n == 2)
		return ops[1].atom == DW_OP_deref;
	return ops->atom == DW_OP_bregx && arch_dwarf_reg(ops->number, &reg) &&
	       reg != ARCH_REG_SP && reg != ARCH_REG_FP;
}

/* Those that give all registers back as they were leave none for the address of a result in memory;
 * LLVM before 17 gave back that of the result, too. */
const char *dwarf_result_lack(Dwarf_Die *unit, Dwarf_Die *func)
{
	u32 code = convention_code(func);
	Dwarf_Die die;

	if (code == CC_PRESERVE_MOST)
		return "its function has the preserve_most calling convention, where compilers "
		       "differ";
	if (code == CC_PRESERVE_ALL)
		return "its function has the preserve_all calling convention, where compilers "
		       "differ";
	if (dwarf_srclang(unit) != DW_LANG_Pascal83)
		return NULL;
	for (int no = dwarf_child(func, &die); !no; no = dwarf_siblingof(&die, &die))
		if (is_behind(&die))
			return "Pascal has it in memory of the caller";
	return NULL;
}
