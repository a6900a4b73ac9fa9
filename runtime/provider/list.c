/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.c - the text of -l and -lv: DTrace's table of probes, and with -v each probe's stability,
 * the names and C types of its arguments, and how it would be attached.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/handle.h>
#include <dtx/tables/loc.h>

#include "runtime/provider/provider.h"

#define CHUNK 65536              /* bytes gathered before they are written */

/* Module and function are private in every provider, and so is a description that names one of
 * them. */
#define PLACED "Private/Private/Unknown"

struct lister {
	struct dtx_env *env;
	FILE *file;
	bool verbose;
	u32 n, last_id;          /* number of probes so far; id of the last row */
	struct buf out;          /* rows not yet written */
};

static int write_out(struct lister *l)
{
	size_t len = l->out.len;
	bool ok;

	errno = 0;
	ok = !len || fwrite(l->out.data, 1, len, l->file) == len;
	buf_reset(&l->out);
	return ok ? 0 : -(errno ? errno : EIO);
}

static void column(struct buf *b, const char *text, int width)
{
	size_t len = strlen(text);

	buf_pad(b, ' ', width - (int)len);
	buf_plain_name(b, text, len);
	buf_putc(b, ' ');
}

static void attributes(struct buf *b, const char *title, const char *stability)
{
	int name = strcspn(stability, "/"), data = strcspn(stability + name + 1, "/");

	buf_printf(b, "\n\t%s\n\t\tIdentifier Names: %.*s\n\t\tData Semantics:   %.*s\n"
		   "\t\tDependency Class: %s\n", title, name, stability,
		   data, stability + name + 1, stability + name + data + 2);
}

/* A C declaration: the name is before array brackets and after the star of "(*". */
static void declaration(struct buf *b, const char *type, const char *name)
{
	const char *bracket = strchr(type, '['), *star = strstr(type, "(*");
	size_t len = strlen(type), at = star ? (size_t)(star + 2 - type) : len;

	if (!star && bracket)
		at = bracket - type;
	while (!star && at && type[at - 1] == ' ')
		at--;
	buf_add(b, type, at);
	if (at && type[at - 1] != '*')
		buf_putc(b, ' ');
	buf_puts(b, name);
	if (!star && bracket)
		buf_puts(b, bracket);
	else
		buf_add(b, type + at, len - at);
}

static void list_argument(struct buf *out, u32 i, const struct dtx_arg *a)
{
	struct buf type = { 0 };

	if (a->type && !a->xlate)
		type_text(a->type, &type);
	else
		buf_puts(&type, a->xlate ? a->xlate : a->ctype);
	if (a->by_name)
		buf_printf(out, "\t\targs.%s: ", a->name);
	else
		buf_printf(out, "\t\targs[%u]: ", i);
	if (a->name)
		declaration(out, type.data, a->name);
	else
		buf_puts(out, type.data);
	if (a->loc == LOC_NONE && a->text)
		buf_printf(out, "   (%s)", a->text);
	buf_putc(out, '\n');
	buf_free(&type);
}

/* What the program of a USDT probe says of args[]. */
static u32 declared(struct buf *out, const struct dtx_proto *o)
{
	const struct dtx_proto_param *v = o->has_mapped ? o->mapped : o->native;
	u32 n = o->has_mapped ? o->nmapped : o->nnative;

	for (u32 i = 0; i < n; i++) {
		const char *name = *v[i].name ? v[i].name : NULL;

		list_argument(out, i, &(struct dtx_arg){ .ctype = v[i].type, .name = name });
	}
	return n;
}

static u32 arguments(struct buf *out, const struct dtx_probe *p)
{
	u32 n = p->stable ? p->stable->nargs : p->args.untyped ? 0 : p->args.n, shown = 0;

	for (u32 i = p->args.mapped_at; i < n; i++) {
		const struct dtx_arg *a = &p->args.v[i];

		if (!a->type && !a->ctype && !a->xlate)
			continue;
		list_argument(out, i - p->args.mapped_at, a);
		shown++;
	}
	return shown;
}

static void about(struct dtx_env *env, const struct dtx_probe *p, struct buf *out)
{
	const char *text = p->provider->about ? p->provider->about(env, p) : NULL;

	if (!text)
		return;
	buf_puts(out, "\n\tSource\n");
	for (const char *end; *text; text = end + (*end != '\0')) {
		end = text + strcspn(text, "\n");
		buf_printf(out, "\t\t%.*s\n", (int)(end - text), text);
	}
}

static void details(struct dtx_env *env, struct dtx_probe *p, struct buf *out)
{
	provider_args(env, p, ARGS_TYPED);
	about(env, p, out);
	attributes(out, "Probe Description Attributes",
		   *p->mod || *p->func ? PLACED : provider_stability(p->prov, STAB_NAME));
	attributes(out, "Argument Attributes", provider_stability(p->prov, STAB_ARGS));
	buf_puts(out, "\n\tArgument Types\n");
	if (!(p->args.proto ? declared(out, p->args.proto) : arguments(out, p)))
		buf_puts(out, "\t\tNone\n");
	buf_putc(out, '\n');
}

void list_row(struct dtx_env *env, struct dtx_probe *p, bool verbose, struct buf *out)
{
	char id[16];
	int len = snprintf(id, sizeof(id), "%5u", p->id);

	buf_add(out, id, len);
	buf_putc(out, ' ');
	column(out, p->prov, 10);
	column(out, p->mod, 17);
	column(out, p->func, 33);
	buf_plain_name(out, p->name, strlen(p->name));
	buf_putc(out, '\n');
	if (verbose)
		details(env, p, out);
}

void list_head(struct buf *out)
{
	buf_printf(out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

struct lister *lister_new(struct dtx_env *env, bool verbose, FILE *file)
{
	struct lister *l = xcalloc(1, sizeof(*l));

	*l = (struct lister){ .env = env, .file = file, .verbose = verbose };
	provider_look_anew(env);
	list_head(&l->out);
	return l;
}

/* There will be no rows, but an error. */
void lister_forget_head(struct lister *l)
{
	if (!l->n)
		l->out.len = 0;
}

/* A probe that was the last row already (two descriptions of one probe) is not repeated. */
int lister_probe(void *lister, struct dtx_probe *p)
{
	struct lister *l = lister;

	if (l->n++ && p->id == l->last_id)
		return 0;
	l->last_id = p->id;
	list_row(l->env, p, l->verbose, &l->out);
	return l->out.len >= CHUNK ? write_out(l) : 0;
}

int lister_pattern(struct lister *l, const struct dtx_pattern *pat)
{
	int err = provider_list(l->env, pat, lister_probe, l);
	int werr = l->n ? write_out(l) : 0;     /* the head alone comes at the end */

	return err ? err : werr;
}

u32 lister_count(const struct lister *l)
{
	return l->n;
}

void lister_free(struct lister *l)
{
	write_out(l);
	buf_free(&l->out);
	free(l);
}
