/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unmatched.c - a description that matches no probe: the error, and what to write instead.
 */
#include <ctype.h>
#include <string.h>

#include <dtx/tag.h>

#include "compiler/plan/plan.h"

static bool probe_of(const struct pdesc *desc, const char *prov)
{
	return !strcmp(desc->pat.prov, prov);
}

/* The name on another system. */
static void probe_old(struct comp *c, const struct pdesc *desc, struct diag *d)
{
	const struct dtx_pattern *pat = &desc->pat;
	bool any = probe_of(desc, "") || probe_of(desc, "fbt");
	const char *instead = any ? foreign_find(FOREIGN_FUNCTION, pat->func) : NULL;

	if (!instead && any)
		instead = foreign_find(FOREIGN_MODULE, pat->mod);
	if (!instead && (probe_of(desc, "") || probe_of(desc, "sdt")))
		instead = foreign_find(FOREIGN_PROBE, pat->name);
	if (!instead && (probe_of(desc, "") || probe_of(desc, "syscall")) &&
	    foreign_find(FOREIGN_CALL, pat->func))
		instead = arena_printf(c->env->arena, "syscall::%s:%s",
				       foreign_find(FOREIGN_CALL, pat->func), pat->name);
	if (instead)
		diag_note(&c->env->diags, d, desc->at, "a name of another system; Linux has %s",
			  instead);
}

/* "vfs_read": of people whose tools take functions. */
static bool is_lone_word(const struct dtx_pattern *p)
{
	return !*p->prov && !*p->mod && !*p->func && isalpha((u8)*p->name) &&
	       !p->name[name_span(p->name, "*?")];
}

void probe_unmatched(struct comp *c, const struct pdesc *desc)
{
	const char *near[NEAR_MAX], *why = provider_missing(c->env, &desc->pat);
	struct diags *ds = &c->env->diags;
	struct diag *d;
	struct buf b = { 0 };
	u32 n;

	d = diag_error(ds, D_PDESC_ZERO, desc->at, "'%s' matches no probe", desc->text);
	probe_old(c, desc, d);
	if (why) {
		diag_hint(ds, d, "%s", why);
		return;
	}
	n = desc->pat.id ? 0 : provider_nearest(c->env, &desc->pat, near, NEAR_MAX);
	for (u32 i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", near[i]);
	if (strchr(desc->text, '"'))     /* "vfs_read "%d", arg3": a line of bcc's trace */
		diag_hint(ds, d, "a description has no format: -n 'PROBE { trace(arg0); "
			  "trace(copyinstr(arg1)); }' prints values; arg0 is the first argument, "
			  "copyinstr() the text at an address of the program");
	else if (n)
		diag_hint(ds, d, "near it: %s", b.data);
	else if (is_lone_word(&desc->pat))
		diag_hint(ds, d, "a word alone is the last part of a probe's name: write "
			  "syscall::NAME:entry for a system call, fbt::NAME:entry for a function "
			  "of the kernel, pid$target::NAME:entry for one of a program");
	else if (provider_has_probes(c->env, desc->pat.prov))
		diag_hint(ds, d, TOOL " -ln %s::: lists the probes of this provider; -Z accepts "
				      "descriptions that match none", desc->pat.prov);
	else
		diag_hint(ds, d,
			  TOOL " -l lists the probes; -Z accepts descriptions that match none");
	buf_free(&b);
}
