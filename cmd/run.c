/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c - the dtx-run command: runs and inspects compiled images.  It is dtx without the compiler.
 */
#include "cmd/command.h"
#include "cmd/hung.h"
#include "cmd/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct tool this_tool;

/* With --trust the user may be another one than who allowed it (sudo), and what this user gives is
 * harmless: it writes no file, reads no file but the image, and lifts no limit.  What the library
 * knows of options it checks itself. */
static bool is_harmless(const struct given *g)
{
	static const char *const settings[] = { "quiet", "duration", "maxevents" };

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (g->row->setting && !strcmp(g->row->setting, settings[i]))
			return true;
	return g->row->action == ACT_AGENT || g->row->action == ACT_VERBOSE ||
	       g->row->action == ACT_CHECK || g->row->action == ACT_RUN;
}

static bool refuse_beside_trust(const struct command *c)
{
	for (int i = 0; i < c->ngiven; i++) {
		const struct given *g = &c->given[i];
		char letter[2] = { g->row->letter };

		if (is_harmless(g) || (!i && g->row->action == ACT_TRUST))
			continue;
		command_say("%s%s is not allowed with --trust%s", g->row->letter ? "-" : "--",
			    g->row->letter ? letter : g->row->word,
			    g->row->action == ACT_TRUST ? ", which stands first and once" : "");
		return true;
	}
	return false;
}

/* Nothing that this user has set is seen by what runs. */
static void forget_environment(void)
{
	clearenv();
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
}

/* The image is the operand, or given with -r. */
static int check(struct command *c)
{
	int images = c->noperands + !!c->run + !!c->inspect + !!c->replay;

	if (c->trust && refuse_beside_trust(c))
		return STATUS_USAGE;
	if (c->trust)
		forget_environment();
	if (c->agent)
		return STATUS_OK;
	if (c->version || c->features || c->doctor || c->describe)
		return STATUS_OK;
	if (!images)
		return command_nothing(&this_tool);
	if (images > 1 && (!c->replay || c->run || c->inspect)) {
		command_say("give one image: its programs and operands were set when it was "
			    "compiled");
		return STATUS_USAGE;
	}
	if (c->noperands && !c->replay)
		c->run = c->operands[0];
	return STATUS_OK;
}

static FILE *open_output(const struct command *c)
{
	return command_output(c->output, true);
}

static int run_work(struct dtx *d, struct command *c, FILE *out)
{
	if (!c->check && dtx_rights(d))
		return STATUS_USAGE;
	if (command_times(c, "quiet"))
		dtx_set_option(d, "quietempty", NULL);
	if (c->trust)
		dtx_image_trust(d, c->trust);
	return dtx_image_open(d, c->run) ? STATUS_FAILED : command_run(d, c, out);
}

static const struct tool this_tool = {
	.usage = "usage: {} [OPTION]... FILE\n",
	.examples =
		"\nexamples:\n"
		"  dtx --image opens.img -n 'syscall::openat:entry { @[execname] = count(); }'\n"
		"  {} opens.img\n"
		"  {} --inspect opens.img\n",
	.check = check,
	.open_output = open_output,
	.work = run_work,
};

int main(int argc, char **argv)
{
	hung_guard(argc, argv);
	return command_main(&this_tool, argc, argv);
}
