/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * header.c - provider declarations to a C header (-h): macros over sys/sdt.h for programs
 * with probes of their own.
 *
 *     provider app { probe query__start(int, char *); };
 *
 *     APP_QUERY_START(id, text)          the site
 *     APP_QUERY_START_ENABLED()          does anybody look?
 *
 * The counters behind _ENABLED() are weak and hidden: every source file that includes the
 * header defines them, the linker keeps one for each program and library, and no object has
 * to be made or post-processed.
 */
#include <ctype.h>

#include "compiler/dump/dump.h"

#define SITE_ARGS_MAX 12         /* sys/sdt.h: DTRACE_PROBE12 */

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

/* The name in the note, which is C's: '-' is not, and "__" stands for it. */
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

/* Numbers get the declared width; what a typedef of the program is, only its compiler knows. */
static void header_value(struct buf *out, const struct type_member *m, u32 i)
{
	if (m->type->kind == T_INT && !m->type->is_bool)
		buf_printf(out, ", (%s)(arg%u)", m->type->name, i);
	else
		buf_printf(out, ", (arg%u)", i);
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
	if (p->nnative)
		buf_printf(out, ") \\\n\tDTRACE_PROBE%u(%s, %s", p->nnative, def->name, note);
	else
		buf_printf(out, ") \\\n\tDTRACE_PROBE(%s, %s", def->name, note);
	for (u32 i = 0; i < p->nnative; i++)
		header_value(out, &p->native[i], i);
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
			buf_printf(out, "__attribute__((weak, unused, visibility(\"hidden\"), "
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
				    "sys/sdt.h has probes with at most %u arguments, '%s' has %u",
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
	buf_puts(out, "#ifndef _SDT_HAS_SEMAPHORES\n#define _SDT_HAS_SEMAPHORES 1\n#endif\n"
		 "#include <sys/sdt.h>\n\n");
	header_counters(out, c->arena, &c->ast);
	for (const struct provdef *d = c->ast.provdefs; d; d = d->next)
		for (const struct provdef_probe *p = d->probes; p; p = p->next)
			header_probe(out, c->arena, d, p);
	buf_printf(out, "\n#endif\n");
	buf_free(&guard);
	return true;
}
