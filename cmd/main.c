/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - the dtx command: the part that needs the compiler.  Settings, targets and programs
 * are passed to the library in that order.  The rest of the command is in command.c.
 */
#include <dtx.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/complete.h"
#include "cmd/fleet/collector.h"
#include "cmd/fmt.h"
#include "cmd/hung.h"
#include "cmd/lsp/lsp.h"
#include "cmd/machines.h"
#include "cmd/object.h"
#include "cmd/say.h"
#include "cmd/tools.h"

/* ---- handing over ----------------------------------------------------------------------- */

static int grab(struct dtx *d, const char *text)
{
	char *end;
	long pid = strtol(text, &end, 10);

	if (end == text || *end || pid <= 0 || pid > 0x7fffffff) {
		command_say("-p needs the number of a process, not '%s'%s%s%s", text,
			    isalpha((unsigned char)*text) ? ": -p $(pgrep -o " : "",
			    isalpha((unsigned char)*text) ? text : "",
			    isalpha((unsigned char)*text) ? ") finds the oldest of that name" : "");
		return -EINVAL;
	}
	return dtx_target_grab(d, pid);
}

static int apply_targets(struct dtx *d, const struct command *c)
{
	int err = 0;

	for (int i = 0; i < c->ngiven && !err; i++) {
		const struct given *g = &c->given[i];
		if (g->row->action == ACT_COMMAND)
			err = dtx_target_run(d, g->arg);
		else if (g->row->action == ACT_PID)
			err = grab(d, g->arg);
	}
	return err;
}

/* The objects given to -G must exist.  -G changes nothing in them, so an object that needs
 * symbols made by -G cannot be linked. */
static int check_objects(const struct command *c, int first)
{
	char want[128];

	for (int i = first; i < c->noperands; i++) {
		const char *path = c->operands[i];

		if (access(path, R_OK)) {
			command_say("cannot read the object %s: %s", path, strerror(errno));
			return -ENOENT;
		}
		if (!object_wants(path, want, sizeof(want)))
			continue;
		command_say("%s uses %s, of another header: compile it with the one of %s -h", path,
			    want, c->name);
		return -EINVAL;
	}
	return 0;
}

static enum dtx_prog prog_of_letter(char letter)
{
	switch (letter) {
	case 'P':
		return DTX_PROG_PROVIDER;
	case 'm':
		return DTX_PROG_MODULE;
	case 'f':
		return DTX_PROG_FUNCTION;
	case 'i':
		return DTX_PROG_ID;
	default:
		return DTX_PROG_NAME;
	}
}

static int add_script(struct dtx *d, const char *path)
{
	return strcmp(path, "-") ? dtx_program_file(d, path) : dtx_program_fd(d, "/dev/stdin", 0);
}

/* Can the tool be traced with what was given?  Only compiling needs less.  The usage in a script of
 * the user is a text for people, in words of its own. */
static bool script_complete(const struct command *c)
{
	bool process = false;

	for (int i = 0; i < c->ngiven; i++)
		process |= c->given[i].row->action == ACT_PID ||
			   c->given[i].row->action == ACT_COMMAND;
	return !c->scripts || !c->tool || c->check || c->list || c->header || c->object ||
	       c->stages || c->image ||
	       script_suits(c->scripts, c->operands + 1, c->noperands - 1, process);
}

/* Without a program the first operand is a script; the other operands are $1, $2 … */
static int apply_programs(struct dtx *d, struct command *c)
{
	const char *script = NULL;
	int err = 0;

	for (int i = 0; i < c->ngiven && !err; i++) {
		const struct given *g = &c->given[i];
		char name[3] = { '-', g->row->letter, '\0' };
		if (g->row->action == ACT_PROGRAM)
			err = dtx_program_add(d, prog_of_letter(g->row->letter), name, g->arg,
					      strlen(g->arg));
		else if (g->row->action == ACT_SCRIPT)
			err = add_script(d, g->arg);
	}
	if (!c->nprograms && c->noperands) {
		if (!script_complete(c))
			return -EINVAL;
		script = c->tool ? c->tool : c->operands[0];
		err = add_script(d, script);
		c->nprograms++;
	}
	if (c->object)                   /* the operands are objects, not arguments */
		c->noperands = script ? 1 : 0;
	char **args = calloc(c->noperands + 2, sizeof(*args));
	for (int i = 0; i < c->settings.n && !err; i++)
		if (!c->settings.v[i].is_option)
			err = dtx_set_param(d, c->settings.v[i].name, c->settings.v[i].value);
	if (err || !args) {
		free(args);
		return err ? err : -ENOMEM;
	}
	int skip = script ? 1 : 0;
	args[0] = (char *)(script ? script : c->name);
	memcpy(args + 1, c->operands + skip, (c->noperands - skip) * sizeof(*args));
	err = dtx_set_args(d, c->noperands - skip + 1, (const char *const *)args);
	free(args);
	return err;
}

/* ---- doing --------------------------------------------------------------------------------- */

/* The -q of a script's first line is the script's: who runs the tool did not ask for silence. */
static bool asks_silence(const struct command *c)
{
	char *own = c->scripts ? tools_line(c->scripts->path) : NULL;
	bool begins = own && (c->line || (c->first && !strcmp(own, c->first)));
	const char *q = begins ? strchr(own, 'q') : NULL, *s = begins ? strchr(own, 's') : NULL;
	bool is_its = q && (!s || q < s);

	free(own);
	return command_times(c, "quiet") > is_its;
}

/* Each question of an editor has a handle of its own, which reads this. */
static void machine_of_server(const struct command *c)
{
	for (int i = 0; i < c->ngiven; i++)
		if (machines_is_one(&c->given[i]))
			setenv("DTX_OPT_MACHINE", strchr(c->given[i].arg, '=') + 1, 1);
}

static const struct tool this_tool;

/* The output of -h and -G without -o: app.h for app.d, in the current folder; NULL: no such
 * script. */
static char *name_by_script(const struct command *c)
{
	const char *script = c->noperands && !c->nprograms ? c->operands[0] : NULL;

	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_SCRIPT)
			script = c->given[i].arg;
	if (!script || c->nprograms > 1)
		return NULL;
	const char *base = strrchr(script, '/') ? strrchr(script, '/') + 1 : script;
	size_t len = strlen(base);
	if (len < 3 || strcmp(base + len - 2, ".d"))
		return NULL;
	char *name = strdup(base);
	if (name)
		name[len - 1] = c->header ? 'h' : 'o';
	return name;
}

/* Where output goes; NULL: standard output, or -h does not know.  *name is to be freed. */
static const char *output_path(const struct command *c, char **name)
{
	*name = (c->header || c->object) && !c->output ? name_by_script(c) : NULL;
	return c->output ? c->output : !*name && c->object ? "d.out" : *name;
}

/* -h or -G has failed: no file is left that was made for it. */
static int remove_empty(const struct command *c, FILE *out)
{
	char *name;
	const char *path = output_path(c, &name);
	struct stat st, now;

	if (path && !fstat(fileno(out), &st) && S_ISREG(st.st_mode) && !st.st_size &&
	    !lstat(path, &now) && now.st_ino == st.st_ino && now.st_dev == st.st_dev)
		unlink(path);
	free(name);
	return STATUS_FAILED;
}

static int main_work(struct dtx *d, struct command *c, FILE *out)
{
	if (c->complete)
		return complete_line(d, c->noperands, c->operands, out);
	if (c->lsp) {
		machine_of_server(c);
		return lsp_serve(stdin, out);
	}
	if (c->fmt)
		return format_scripts(c, out);

	if (c->hosts)
		return fleet_work(&this_tool, d, c, out);

	bool rights_needed = !c->stages && !c->check && !c->header && !c->object && !c->image;

	if (rights_needed && dtx_rights(d))
		return STATUS_USAGE;
	if (asks_silence(c))
		dtx_set_option(d, "quietempty", NULL);
	if (apply_targets(d, c) || apply_programs(d, c))
		return c->header || c->object ? remove_empty(c, out) : STATUS_FAILED;
	if (c->header)
		return dtx_header(d, out) ? remove_empty(c, out) : STATUS_OK;
	if (c->object)
		return dtx_object(d, out) ? remove_empty(c, out) : STATUS_OK;
	if (c->stages)
		return dtx_dump(d, c->stages, out) ? STATUS_FAILED : STATUS_OK;
	if (c->image)
		return dtx_image_write(d, c->image) ? STATUS_FAILED : STATUS_OK;
	if (c->list)
		return dtx_list(d, c->verbose, out) ? STATUS_FAILED : STATUS_OK;
	if (c->check && !c->nprograms && !c->run)
		return STATUS_OK;
	if (c->run ? dtx_image_open(d, c->run) : dtx_compile(d))
		return STATUS_FAILED;
	return command_run(d, c, out);
}

/* A header or an object replaces the old file; all other output is appended. */
static FILE *open_output(const struct command *c)
{
	bool anew = c->header || c->object;
	char *name;
	const char *path = output_path(c, &name);
	FILE *out = NULL;

	if (c->fmt)                      /* format_scripts() opens -o: it may be the script */
		out = stdout;
	else if (c->header && !path)
		command_say(
			"-h needs an output file: -o FILE, or one script whose name ends in .d");
	else if (c->header && !strcmp(path, "-"))
		out = stdout;
	else
		out = command_output(path, !anew);
	free(name);
	return out;
}

static const struct tool this_tool;

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789_-"

/* `known`: only if it is known what the word is elsewhere. */
static bool told_of_tools(const char *word, bool known)
{
	char *named;

	if (!access(word, F_OK) || (known && !tools_meant(word)))
		return false;
	if (word[strspn(word, NAME_LETTERS)]) {
		named = tools_elsewhere(word);
		if (!named)
			return false;
		free(named);
	}
	tools_tell(word);
	return true;
}

/* The first operand is a script or the name of a tool; options of its first line hold. */
static int check_script(struct command *c)
{
	const char *word = c->operands[0];

	if (!c->tool && told_of_tools(word, false))
		return STATUS_USAGE;
	if (c->tool && c->check && c->noperands > 1 && tools_tell_calls(word, c->operands[1]))
		return STATUS_USAGE;
	c->line = tools_line(c->tool ? c->tool : word);
	command_first_line(c);
	script_operands(c->scripts, c->operands, &c->noperands, 1, &c->settings);
	return STATUS_OK;
}

/* dtx alone, at a terminal: which tool?  It is run in this process's place. */
static int ask_for_tool(void)
{
	char *name = isatty(0) && isatty(2) ? tools_ask(stdin, stderr) : NULL;

	if (!name)
		return STATUS_USAGE;
	execl("/proc/self/exe", program_invocation_short_name, name, NULL);
	command_say("cannot run %s: %s", name, strerror(errno));
	free(name);
	return STATUS_FAILED;
}

static int check(struct command *c)
{
	bool reads_image = c->run || c->inspect || c->replay;

	if (c->trust) {
		command_say("--trust is for signed images: dtx-run runs them");
		return STATUS_USAGE;
	}
	if (c->version + c->list + c->header + c->object + !!c->image > 1) {
		command_say("only one of -G, -h, -l, -V and --image can be given");
		command_usage(&this_tool, stderr);
		return STATUS_USAGE;
	}
	if (reads_image && (c->nprograms || (c->noperands && !c->replay) || c->list || c->header ||
			    c->object || c->image || c->stages)) {
		command_say("%s: its programs and operands were set when it was compiled",
			    c->run      ? "-r runs an image"
			    : c->replay ? "--replay shows a recording"
					: "--inspect prints an image");
		return STATUS_USAGE;
	}
	if (c->object && check_objects(c, c->nprograms ? 0 : 1))
		return STATUS_FAILED;
	if (fleet_check(c) != STATUS_OK)
		return STATUS_USAGE;
	if (c->complete || c->fmt || c->lsp || c->replay)
		return STATUS_OK;
	if (c->noperands && !c->nprograms)
		return check_script(c);
	script_operands(c->scripts, c->operands, &c->noperands, 0, &c->settings);
	if (c->version || c->nprograms || c->noperands || (c->ngiven && !c->header && !c->object))
		return STATUS_OK;
	command_nothing(&this_tool);
	return ask_for_tool();
}

/* The name of a tool is a topic, too. */
static int help(struct dtx *d, const char *topic, int width, bool colour, FILE *out)
{
	char *path = tools_find(topic);
	struct script *s = path ? script_add(NULL, path, true) : NULL;
	int err = 0;

	if (s)
		script_help(s, out);
	else
		err = dtx_help(d, topic, width, colour, out);
	char *near = err ? tools_near(topic) : NULL;

	if (near)
		command_say("did you mean the tool '%s'?", near);
	free(near);
	script_free(s);
	free(path);
	return err;
}

static const struct tool this_tool = {
	.usage = "usage: {} [-n PROGRAM]... [-s FILE] [OPTION]... [ARGUMENT]...\n"
		 "       {} [OPTION]... FILE [ARGUMENT]...\n"
		 "       {} TOOL [OPTION]... [ARGUMENT]...\n",
	.examples = "\nexamples:\n"
	      "  {} -n 'syscall::read:entry { @[execname] = quantize(arg2); }'\n"
	      "  {} -n 'kprobe:tcp_sendmsg /size > 100/ { @[comm] = count(); }'\n"
	      "  {} -n 'syscall:::entry { @[probefunc] = count(); }' -c 'ls -l'\n"
	      "  {} -ln 'tracepoint:sched:*'\n"
	      "\n{} --help TOPIC prints a part of the manual: language, options,\n"
	      "providers, errors, a provider (io), a built-in (quantize),\n"
	      "an option (-x bufsize), a message (D_SYNTAX); --help topics lists all\n",
	.compiles = true, .help = help, .find = tools_find,
	.told = told_of_tools, .check = check,
	.open_output = open_output, .work = main_work,
};

int main(int argc, char **argv)
{
	hung_guard(argc, argv);
	return command_main(&this_tool, argc, argv);
}
