/* SPDX-License-Identifier: BSD-2-Clause */
/* dtx_fleet.c - the part of the public interface (dtx-run.h) for runs of several hosts. */
#include <dtx-run.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dtx/optrow.h>
#include <dtx/env.h>

#include "runtime/dtx_run.h"
#include "runtime/fleet/fleet.h"

const char *dtx_option(const struct dtx *d, const char *name)
{
	u32 id = options_find(name);
	const char *text;

	if (id == opt_nrows || !opt_is_set(&d->env, id))
		return NULL;
	text = opt_text(&d->env, id);
	return text ? text : opt_num(&d->env, id) ? "1" : "0";
}

long long dtx_option_number(const struct dtx *d, const char *name)
{
	u32 id = options_find(name);

	return id < opt_nrows ? opt_num(&d->env, id) : 0;
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
	f->run = fleet_new(&d->env, out);
	return f;
}

/* Hosts would refuse it one by one.  An image says itself what its maker has allowed. */
static bool program_is_permitted(const struct dtx *d, const struct img *img)
{
	bool permitted = !img->destructive || dtx_option_number(d, "destructive");

	for (u32 i = 0; i < img->noptions; i++)
		permitted |= !strcmp(img->options[i].name, "destructive");
	return permitted;
}

/* The option every: tables of hosts would not be of one time. */
static bool prints_each_time(const struct dtx *d, const struct img *img)
{
	bool prints = dtx_option_number(d, "every");

	for (u32 i = 0; i < img->noptions; i++)
		prints |= !strcmp(img->options[i].name, "every") &&
			  strcmp(img->options[i].value, "never");
	return prints;
}

int dtx_fleet_program(struct dtx_fleet *f, const void *image, size_t len)
{
	struct dtx_env *env = &f->d->env;
	char *bytes = arena_memdup(env->arena, image, len);
	const char *why = img_unseal(bytes, &len);
	const struct img *img = why ? NULL : img_read(env->arena, &env->diags, bytes, len);

	if (why)
		dtx_env_fail(env, -EINVAL, "the image cannot be used: %s", why);
	if (img && !program_is_permitted(f->d, img))
		return dtx_told(f->d, dtx_env_fail(env, -EPERM, "the program has destructive "
						   "actions, which are not allowed: allow them "
						   "with -w"));
	if (img && prints_each_time(f->d, img))
		return dtx_told(f->d, dtx_env_fail(env, -EINVAL, "the option every, and TIME COUNT "
						   "of a tool, are not there for a run of several "
						   "hosts: a clause of tick-10s prints what they "
						   "have together"));
	return dtx_told(f->d, img ? fleet_program(f->run, img->text, img->text_len) : -EINVAL);
}

unsigned dtx_fleet_host(struct dtx_fleet *f, const char *name)
{
	return fleet_host(f->run, name);
}

void dtx_fleet_note(struct dtx_fleet *f, const char *host, const char *text)
{
	fleet_note(f->run, host, text);
}

int dtx_fleet_bytes(struct dtx_fleet *f, unsigned host, const void *data, size_t len)
{
	return dtx_told(f->d, fleet_bytes(f->run, host, data, len));
}

void dtx_fleet_gone(struct dtx_fleet *f, unsigned host, const char *why)
{
	fleet_gone(f->run, host, why);
	dtx_told(f->d, 0);
}

long long dtx_fleet_turn(struct dtx_fleet *f)
{
	long long ns = fleet_turn(f->run);

	dtx_told(f->d, 0);
	return ns;
}

void dtx_fleet_relays(struct dtx_fleet *f)
{
	fleet_relays(f->run);
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
	return dtx_told(f->d, fleet_end(f->run));
}

void dtx_fleet_close(struct dtx_fleet *f)
{
	if (!f)
		return;
	fleet_free(f->run);
	free(f);
}
