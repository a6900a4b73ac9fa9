/* SPDX-License-Identifier: BSD-2-Clause */
/* kitchen.c - kitchen:::order fires at each system call; arg1 is its number, and arg2 lies in a
 * new kind of place, arg3 is computed by a new kind of step.  It is there if a file of the
 * machine, also of one that is described, says Linux. */
#include <stdlib.h>
#include <string.h>

#include <dtx/env.h>
#include <dtx/kind.h>
#include <dtx/step.h>
#include <dtx/tables/loc.h>

#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

extern const struct dtx_provider provider_kitchen;

static bool is_linux(struct dtx_env *env)
{
	char *text;
	size_t len;
	bool is;

	if (machine_read(env, "/proc/sys/kernel/ostype", &text, &len))
		return false;
	is = !strncmp(text, "Linux", 5);
	free(text);
	return is;
}

static int list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each, void *arg)
{
	u32 id = prov_base(&provider_kitchen);
	struct dtx_probe *p;

	if (!is_linux(env) || !prov_named(pat, "kitchen") || !prov_wants(pat, id, "", "", "order"))
		return 0;
	p = prov_probe(env, &provider_kitchen, (struct probe_name){
		id, "kitchen", "", "", "order"
	});
	p->prog.kind = PK_KITCHEN;
	p->prog.ident = IDENT_ONE;
	p->place.target = "sys_enter";
	return each(arg, p);
}

static int args(struct dtx_env *env, struct dtx_probe *p)
{
	struct dtx_arg *a = prov_args(env, p, 4);

	for (u32 i = 0; i < 2; i++)
		a[i] = (struct dtx_arg){ .loc = LOC_CTX, .off = 8 * i, .size = 8 };
	a[2] = (struct dtx_arg){ .loc = LOC_KITCHEN, .value = 21, .size = 8 };
	a[3] = (struct dtx_arg){ .loc = LOC_VALUE, .size = 8 };
	steps_add(env->arena, &a[3].steps, STEP_NUM, 84);
	steps_add(env->arena, &a[3].steps, STEP_HALF, 0);
	p->args.untyped = true;
	return 0;
}

static int attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	int fd = sys_link_raw_tp(prog_fd, probes[0]->place.target, 0);

	if (fd < 0)
		return fd;
	attach_keep(at, fd);
	return 0;
}

const struct dtx_provider provider_kitchen = {
	.name = "kitchen",
	.doc = "added by a recipe",
	.list = list,
	.args = args,
	.attach = attach,
};
