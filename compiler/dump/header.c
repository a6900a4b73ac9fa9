/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * header.c - provider declarations to a C header (-h): a macro for each probe of a program's own.
 *
 *     provider app { probe query__start(int, char *); };
 *
 *     APP_QUERY_START(id, text)          the site
 *     APP_QUERY_START_ENABLED()          is it traced?
 *
 * A site is a nop, and an ELF note "stapsdt" that says where it is, which counter it has and where
 * the compiler left its arguments; the header needs no other.  On some machines a second nop
 * follows, which new kernels make a call (docs/decisions/51-nops-that-become-calls.md).  A second
 * note has the declaration, once for each probe (runtime/code/usdtnote.c): args[] have its types
 * and mapping in every program that traces it.  The semaphores of _ENABLED() are weak and hidden:
 * every source file that includes the header defines them, the linker keeps one per program and
 * library, and no further object file is needed.
 */
#include <ctype.h>

#include <dtx/arch.h>
#include <dtx/tag.h>

#include "compiler/dump/dump.h"

#define SITE_ARGS_MAX 12         /* assembly has room for thirty operands */

/* app, query__start to APP_QUERY_START. */
static void header_macro(struct buf *out, const char *prov, const char *name)
{
	for (const char *s = prov; *s; s++)
		buf_putc(out, (char)toupper((unsigned char)*s));
	buf_putc(out, '_');
	for (const char *s = name; *s; s++) {
		s += s[0] == '_' && s[1] == '_';
		buf_putc(out, *s == '-' ? '_' : (char)toupper((unsigned char)*s));
	}
}

/* The name in the note, a C name: '-' is written "__". */
static const char *header_note(struct arena *a, const char *name)
{
	struct buf b = { 0 };
	const char *text;

	for (; *name; name++)
		buf_puts(&b, *name == '-' ? "__" : (char[]){ *name, '\0' });
	text = arena_strdup(a, b.data);
	buf_free(&b);
	return text;
}

/*
 * What all sites share.  Words of a note have the size of a pointer; the base is a symbol by which
 * readers see whether the program was moved after it was linked.
 */
static const char header_site[] =
	"#ifndef DTX_SDT_NOTE\n"
	"#if __SIZEOF_POINTER__ == 8\n"
	"#define DTX_SDT_WORD \".8byte\"\n"
	"#define DTX_SDT_LONG \"8@\"\n"
	"#else\n"
	"#define DTX_SDT_WORD \".4byte\"\n"
	"#define DTX_SDT_LONG \"4@\"\n"
	"#endif\n"
	"#ifdef " ARCH_SITE_64 "\n"
	"#define DTX_SDT_BEHIND \"" ARCH_SITE_LONG "\\n\"\n"
	"#else\n"
	"#define DTX_SDT_BEHIND\n"
	"#endif\n"
	"#define DTX_SDT_NOTE(provider, probe, arguments) \\\n"
	"\t\"990:\\tnop\\n\" DTX_SDT_BEHIND \\\n"
	"\t\".pushsection .note.stapsdt,\\\"?\\\",\\\"note\\\"\\n\" \\\n"
	"\t\".balign 4\\n.4byte 992f-991f, 994f-993f, 3\\n\" \\\n"
	"\t\"991:\\t.asciz \\\"stapsdt\\\"\\n992:\\t.balign 4\\n\" \\\n"
	"\t\"993:\\t\" DTX_SDT_WORD \" 990b, _.stapsdt.base, \" \\\n"
	"\t\t#provider \"_\" #probe \"_semaphore\\n\" \\\n"
	"\t\".asciz \\\"\" #provider \"\\\"\\n.asciz \\\"\" #probe \"\\\"\\n\" \\\n"
	"\t\".asciz \\\"\" arguments \"\\\"\\n994:\\t.balign 4\\n.popsection\\n\" \\\n"
	"\t\".ifndef _.stapsdt.base\\n\" \\\n"
	"\t\".pushsection .stapsdt.base,\\\"aG\\\",\\\"progbits\\\",.stapsdt.base,comdat\\n\" \\\n"
	"\t\".weak _.stapsdt.base\\n.hidden _.stapsdt.base\\n\" \\\n"
	"\t\"_.stapsdt.base: .space 1\\n.size _.stapsdt.base, 1\\n.popsection\\n.endif\\n\"\n"
	"#endif\n"
	"#ifndef DTX_SDT_TYPES\n"
	"#define DTX_SDT_TYPES(provider, probe, types) \\\n"
	"\t\".ifndef _.dtx.\" #provider \".\" #probe \"\\n\" \\\n"
	"\t\".pushsection .note.dtx,\\\"G\\\",\\\"note\\\",_.dtx.\" #provider \".\" #probe \\\n"
	"\t\",comdat\\n.weak _.dtx.\" #provider \".\" #probe \"\\n\" \\\n"
	"\t\".hidden _.dtx.\" #provider \".\" #probe \"\\n\" \\\n"
	"\t\"_.dtx.\" #provider \".\" #probe \":\\n\" \\\n"
	"\t\".balign 4\\n.4byte 982f-981f, 984f-983f, 1\\n\" \\\n"
	"\t\"981:\\t.asciz \\\"dtx\\\"\\n982:\\t.balign 4\\n\" \\\n"
	"\t\"983:\\t.asciz \\\"\" #provider \"\\\"\\n.asciz \\\"\" #probe \"\\\"\\n\" \\\n"
	"\t\".asciz \\\"\" types \"\\\"\\n984:\\t.balign 4\\n.popsection\\n.endif\\n\"\n"
	"#endif\n\n";

/* Of an argument: the C type that it is made, and size and sign as the note says them.  Not every
 * register of a 32-bit program has a name for its lowest byte. */
struct header_arg { const char *type, *size; };

static struct header_arg header_arg(const struct type_member *m)
{
	static const struct header_arg ints[][2] = {
		[1] = { { "unsigned int)(unsigned char", "\"4@" },
			{ "int)(signed char", "\"-4@" } },
		[2] = { { "unsigned int)(unsigned short", "\"4@" }, { "int)(short", "\"-4@" } },
		[4] = { { "unsigned int", "\"4@" }, { "int", "\"-4@" } },
		[8] = { { "unsigned long", "\"\" DTX_SDT_LONG \"" },
			{ "long", "\"-\" DTX_SDT_LONG \"" } },
	};
	const struct type *t = type_base(m->type);
	bool number = (t->kind == T_INT || t->kind == T_ENUM) && t->size <= 8;

	if (t->kind == T_FLOAT)
		return (struct header_arg){ "double", "\"8f@" };
	return number && ints[t->size][0].type ? ints[t->size][t->is_signed] : ints[8][0];
}

static void header_sizes(struct buf *out, const struct provdef_probe *p)
{
	for (u32 i = 0; i < p->nnative; i++)
		buf_printf(out, "%s%s%%%u\"", i ? " \" \" " : "",
			   header_arg(&p->native[i]).size, i);
	if (!p->nnative)
		buf_puts(out, "\"\"");
	buf_puts(out, ")");
}

/* The observer may follow pointers: what they lead to is written before. */
static void header_args(struct buf *out, const struct provdef_probe *p)
{
	buf_puts(out, " \\\n\t\t: : ");
	for (u32 i = 0; i < p->nnative; i++)
		buf_printf(out, "%s\"nor\"((%s)(arg%u))", i ? ", " : "",
			   header_arg(&p->native[i]).type, i);
	buf_puts(out, " : \"memory\"");
}

/* The parameters as usdtnote.c reads them; the last NUL is .asciz's. */
static void header_params(struct buf *out, struct arena *a, const struct type_member *m, u32 n)
{
	for (u32 i = 0; i < n; i++)
		buf_printf(out, "%s\\\\0%s\\\\0", type_name(a, m[i].type),
			   m[i].name ? m[i].name : "");
}

static void header_types(struct buf *out, struct arena *a, const struct provdef *def,
			 const struct provdef_probe *p, const char *note)
{
	buf_printf(out, " \\\n\t\tDTX_SDT_TYPES(%s, %s, \"", def->name, note);
	header_params(out, a, p->native, p->nnative);
	if (p->has_mapped) {
		buf_puts(out, "\\\\0");
		header_params(out, a, p->mapped, p->nmapped);
	}
	buf_puts(out, "\")");
}

static void header_probe(struct buf *out, struct arena *a, const struct provdef *def,
			 const struct provdef_probe *p)
{
	const char *note = header_note(a, p->name);

	buf_puts(out, "\n#define ");
	header_macro(out, def->name, p->name);
	buf_putc(out, '(');
	for (u32 i = 0; i < p->nnative; i++)
		buf_printf(out, "%sarg%u", i ? ", " : "", i);
	buf_printf(out, ") \\\n\t__asm__ __volatile__(DTX_SDT_NOTE(%s, %s, ", def->name, note);
	header_sizes(out, p);
	header_types(out, a, def, p, note);
	header_args(out, p);
	buf_puts(out, ")\n#define ");
	header_macro(out, def->name, p->name);
	buf_printf(out, "_ENABLED() \\\n\t(*(volatile unsigned short *)&%s_%s_semaphore != 0)\n",
		   def->name, note);
}

static void header_counters(struct buf *out, struct arena *a, const struct ast *ast)
{
	buf_puts(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
	for (const struct provdef *d = ast->provdefs; d; d = d->next)
		for (const struct provdef_probe *p = d->probes; p; p = p->next)
			buf_printf(out, "__attribute__((weak, used, visibility(\"hidden\"), "
				   "section(\".probes\")))\n\tunsigned short %s_%s_semaphore;\n",
				   d->name, header_note(a, p->name));
	buf_puts(out, "#ifdef __cplusplus\n}\n#endif\n");
}

static bool header_fits(struct comp *c)
{
	u32 before = c->env->diags.nerrors;

	for (const struct provdef *d = c->ast.provdefs; d; d = d->next)
		for (const struct provdef_probe *p = d->probes; p; p = p->next)
			if (p->nnative > SITE_ARGS_MAX)
				ERR(c, D_PROV_PRARGLEN, p->at,
				    "a site has at most %u arguments, '%s' has %u",
				    SITE_ARGS_MAX, p->name, p->nnative);
	if (!c->ast.provdefs)
		ERR(c, DIAG_NONE, (struct range){ 0 }, "there is no provider declaration to make a "
		    "header of: provider NAME { probe NAME(TYPES); };");
	return c->env->diags.nerrors == before;
}

bool header_write(struct comp *c, struct buf *out)
{
	struct buf guard = { 0 };

	if (!header_fits(c))
		return false;
	header_macro(&guard, c->ast.provdefs->name, "d_h");
	buf_printf(out, "/* Made by dtx -h from %s: do not edit. */\n", c->progs[0].src->name);
	buf_printf(out, "#ifndef %s\n#define %s\n\n", guard.data, guard.data);
	buf_puts(out, header_site);
	header_counters(out, c->arena, &c->ast);
	for (const struct provdef *d = c->ast.provdefs; d; d = d->next)
		for (const struct provdef_probe *p = d->probes; p; p = p->next)
			header_probe(out, c->arena, d, p);
	buf_printf(out, "\n#endif\n");
	buf_free(&guard);
	return true;
}
