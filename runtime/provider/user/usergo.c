/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usergo.c - functions of Go programs, for the providers uprobe and pid.
 *
 * Go has its own calling convention, so arguments are where the debugging information says.
 */
#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/abi.h>

#include "runtime/code/code.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/provider/provider.h"

#define NO_PLACE "this is a function of Go, and no debugging information says where its " \
		 "arguments are: build the program without -ldflags=-w"

bool user_is_go(struct dtx_env *env, const char *path, const char *symbol)
{
	struct elfsyms *syms = strchr(symbol, '.') ? user_symbols(env, path) : NULL;

	return syms && (elfsyms_by_name(syms, "runtime.goexit") ||
			elfsyms_by_name(syms, "runtime.goexit.abi0"));
}

static void go_parameters(struct dtx_env *env, struct dtx_probe *p, u64 addr)
{
	struct dtx_arg *found, *a;
	u32 n = dwarf_go(env, p->place.target, addr, addr, false, &found);

	if (n == ~0u) {
		args_nowhere(env, p, NO_PLACE);
		return;
	}
	n = MIN(n, DTX_MAX_ARGS);
	a = prov_args(env, p, n);
	if (n)
		memcpy(a, found, n * sizeof(*a));
}

/* arg1 is the only result, in the register that results of C have too. */
static void go_result(struct dtx_env *env, struct dtx_probe *p, u64 addr)
{
	struct elfsyms *syms = user_symbols(env, p->place.target);
	const struct elfsym *f = elfsyms_at(syms, addr);
	struct dtx_arg *found;
	u32 n = f ? dwarf_go(env, p->place.target, f->addr, addr, true, &found) : ~0u;

	args_return(env, p, n == 1 ? found[0].type : &ty_void, (s64)(f ? addr - f->addr : 0));
	p->args.v[0].loc = LOC_OWN;
	if (n == 1 && p->args.v[1].loc == LOC_REG && found[0].loc == LOC_REG)
		p->args.v[1].off = found[0].off;
	if (!n || (n == 1 && p->args.v[1].loc == LOC_REG && !strstr(f->name, ".abi0")))
		return;
	p->args.v[1].loc = LOC_NONE;
	p->args.v[1].text = n == ~0u ? NO_PLACE : n == 1 ? "it is not in one register" :
			  "the function has several results";
	p->args.ret = 1;
}

void user_go_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct elfsyms *syms = user_symbols(env, p->place.target);

	if (p->place.num == USER_GO_RETURN)
		go_result(env, p, elfsyms_vaddr(syms, p->place.off));
	else
		go_parameters(env, p, elfsyms_vaddr(syms, user_begin(p)));
}
