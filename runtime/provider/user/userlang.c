/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userlang.c - functions that have arguments or results in other registers than those of C, where
 * no debugging information says so: known by the symbols of their objects.
 */
#include <ctype.h>
#include <string.h>

#include "runtime/code/code.h"
#include "runtime/provider/provider.h"

/*
 * OCaml: a module M is camlM, its function f camlM__f_12 (camlM.f_12 from 5.2 on), and its code
 * begins at camlM__code_begin (asmcomp/asmlink.ml, Compilenv.make_symbol).  Results are where those
 * of C are.
 */
static bool is_ocaml(struct codefile *file, const char *symbol)
{
	char begin[256];

	if (strncmp(symbol, "caml", 4) || !isupper((unsigned char)symbol[4]))
		return false;
	for (const char *s = symbol; *s; s++) {
		const char *sep = *s == '.' ? "." : !strncmp(s, "__", 2) ? "__" : NULL;

		if (!sep)
			continue;
		snprintf(begin, sizeof(begin), "%.*s%scode_begin", (int)(s - symbol), symbol, sep);
		if (elfsyms_by_name(codefile_symbols(file), begin))
			return true;
	}
	return false;
}

/*
 * Haskell, by GHC: what is called ends in _info, since it stands after a table of information
 * (GHC.Cmm.CLabel); its object has parts of GHC's runtime, or takes them from a library.
 * Nothing is returned as in C: control passes by jumps, and values in other registers.
 */
static bool is_haskell(struct codefile *file, const char *symbol)
{
	static const char *const runtime[] = {
		"hs_main", "stg_ap_v_fast", "stg_upd_frame_info", "stg_bh_upd_frame_info",
	};
	size_t n = strlen(symbol);

	if (n < 6 || strcmp(symbol + n - 5, "_info"))
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(runtime); i++)
		if (elfsyms_by_name(codefile_symbols(file), runtime[i]) ||
		    elf_imports(file, runtime[i]))
			return true;
	return false;
}

/*
 * Of vectors, on machines whose symbols say it (ARCH_SYM_VARIANT): general registers are used as in
 * C, but what is returned may be a vector.
 */
static bool is_variant(struct codefile *file, const char *symbol)
{
	const struct elfsym *sym = elfsyms_by_name(codefile_symbols(file), symbol);

	return sym && sym->is_variant;
}

static const struct language {
	bool (*is)(struct codefile *, const char *symbol);
	const char *args, *result;       /* NULL: as in C */
	bool told;                       /* if there is debugging information, it says the places */
} languages[] = {
	{ is_ocaml, "this is a function of OCaml, which passes arguments in registers of its own: "
		    "uregs[] has them", NULL },
	{ is_haskell, "this is code of Haskell, which passes arguments in registers of its own: "
		      "uregs[] has them",
	  "this is code of Haskell, which returns values in registers of its own: uregs[] has "
	  "them" },
	{ is_variant, NULL, "its symbol says that it takes or returns vectors, and without "
			    "debugging information it cannot be known whether this result is one: "
			    "uregs[] has the register", true },
};

const char *user_other_registers(struct codefile *file, const char *symbol, bool result, bool told)
{
	for (const struct language *l = languages; l < languages + ARRAY_SIZE(languages); l++)
		if (!(told && l->told) && l->is(file, symbol))
			return result ? l->result : l->args;
	return NULL;
}
