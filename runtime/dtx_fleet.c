/* SPDX-License-Identifier: BSD-2-Clause */
/* dtx_fleet.c - the part of the public interface (dtx-run.h) for runs of several hosts. */
#include <dtx-run.h>

#include <errno.h>
#include <stdlib.h>

#include <dtx/handle.h>
#include <dtx/optrow.h>

#include "runtime/fleet/fleet.h"

const char *dtx_option(const struct dtx *d, const char *name)
{
	struct dtx_env *env = handle_env((struct dtx *)d);
	u32 id = options_find(name);
	const char *text = id < opt_nrows && opt_is_set(env, id) ? opt_text(env, id) : NULL;

	if (id < opt_nrows && opt_is_set(env, id) && !text)
		return opt_num(env, id) ? "1" : "0";
	return text;
}

long long dtx_option_time(const struct dtx *d, const char *name)
{
	u32 id = options_find(name);

	return id < opt_nrows ? opt_num(handle_env((struct dtx *)d), id) : 0;
}

/* The run itself is runtime/fleet/. */
struct dtx_fleet {
	struct dtx *d;
	struct fleet *run;
};

struct dtx_fleet *dtx_fleet_open(struct dtx *d, FILE *out)
{
	struct dtx_fleet *f = xcalloc(1, sizeof(*f));

	f->d = d;
	f->run = fleet_new(handle_env(d), out);
	return f;
}

/* Ends every function that may fail: reports the collected messages. */
static int dtx_fleet_told(struct dtx_fleet *f, int err)
{
	return diags_told(&handle_env(f->d)->diags, err);
}

int dtx_fleet_program(struct dtx_fleet *f, const void *image, size_t len)
{
	struct dtx_env *env = handle_env(f->d);
	char *bytes = arena_memdup(env->arena, image, len);
	const char *why = img_unseal(bytes, &len);
	const struct img *img = why ? NULL : img_read(env->arena, &env->diags, bytes, len);

	if (why)
		dtx_env_fail(env, -EINVAL, "%s", why);
	return dtx_fleet_told(f, img ? fleet_program(f->run, img->text, img->text_len) : -EINVAL);
}

unsigned dtx_fleet_host(struct dtx_fleet *f, const char *name)
{
	return fleet_host(f->run, name);
}

int dtx_fleet_bytes(struct dtx_fleet *f, unsigned host, const void *data, size_t len)
{
	return dtx_fleet_told(f, fleet_bytes(f->run, host, data, len));
}

void dtx_fleet_gone(struct dtx_fleet *f, unsigned host, const char *why)
{
	fleet_gone(f->run, host, why);
	dtx_fleet_told(f, 0);
}

long long dtx_fleet_turn(struct dtx_fleet *f)
{
	long long ns = fleet_turn(f->run);

	dtx_fleet_told(f, 0);
	return ns;
}

bool dtx_fleet_stop(const struct dtx_fleet *f)
{
	return fleet_stop(f->run);
}

int dtx_fleet_status(const struct dtx_fleet *f)
{
	return fleet_status(f->run);
}

int dtx_fleet_end(struct dtx_fleet *f)
{
	return dtx_fleet_told(f, fleet_end(f->run));
}

void dtx_fleet_close(struct dtx_fleet *f)
{
	if (!f)
		return;
	fleet_free(f->run);
	free(f);
}
