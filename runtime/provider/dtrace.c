/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace.c - BEGIN, END and ERROR.  Nothing is attached: the session runs BEGIN and END
 * once, and the program that faulted calls ERROR.
 */
#include <dtx/kind.h>

#include "runtime/provider/provider.h"

extern const struct dtx_provider provider_dtrace;

static int dtrace_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		       void *arg)
{
	static const char *const names[] = { "BEGIN", "END", "ERROR" };

	if (!prov_named(pat, "dtrace"))
		return 0;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		u32 id = prov_base(&provider_dtrace) + i;
		struct dtx_probe *p;
		int err;

		if (!prov_wants(pat, id, "", "", names[i]))
			continue;
		p = prov_probe(env, &provider_dtrace, (struct probe_name){
			id, "dtrace", "", "", names[i]
		});
		p->prog.kind = PK_TESTRUN;
		p->prog.ident = IDENT_ONE;
		err = each(arg, p);
		if (err)
			return err;
	}
	return 0;
}

/* The program that raises ERROR sets its arguments; all are plain numbers. */
static int dtrace_args(struct dtx_env *env, struct dtx_probe *p)
{
	p->args.untyped = true;
	return 0;
}

static int dtrace_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	return 0;
}

const struct dtx_provider provider_dtrace = {
	.name = "dtrace",
	.doc = "begin and end of tracing, and errors in clauses",
	.list = dtrace_list,
	.args = dtrace_args,
	.attach = dtrace_attach,
};
