/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c - the dtx-run command: runs and inspects compiled images.  It is dtx without the compiler.
 */
#include "cmd/command.h"
#include "cmd/say.h"

#include <errno.h>

static const struct tool this_tool;

/* The image is the operand, or given with -r. */
static int check(struct command *c)
{
	int images = c->noperands + !!c->run + !!c->inspect + !!c->replay;

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
	return command_main(&this_tool, argc, argv);
}
