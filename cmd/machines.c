/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machines.c - one program, checked for several machines: -e -x machine=A -x machine=B.
 *
 * Each machine has a handle of its own.  What is said of the program there (the number of probes,
 * warnings, errors) is its result: machines with the same result stand together, so that the
 * differences are seen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/machines.h"
#include "cmd/say.h"

struct result {
	char *name, *text;
	size_t len;
	int status;
	bool shown;
};

bool machines_is_one(const struct given *g)
{
	return g->row->action == ACT_OPTION && !strncmp(g->arg, "machine=", 8);
}

int machines_given(const struct command *c)
{
	int n = 0;

	for (int i = 0; i < c->ngiven; i++)
		n += machines_is_one(&c->given[i]);
	return n;
}

/* The number of the machine's option, from `at` on. */
static int next_machine(const struct command *c, int at)
{
	while (!machines_is_one(&c->given[at]))
		at++;
	return at;
}

/* Each machine reads the script anew: not one from a pipe, which the first would use up. */
static bool refuse_pipe(const char *script)
{
	struct stat st;

	if (strcmp(script, "-") && (stat(script, &st) || S_ISREG(st.st_mode)))
		return false;
	command_say("with several machines the script is read once for each, and %s can be read "
		    "only once: give a file", strcmp(script, "-") ? script : "standard input");
	return true;
}

static bool refuse_scripts(const struct command *c)
{
	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_SCRIPT && refuse_pipe(c->given[i].arg))
			return true;
	return !c->nprograms && c->noperands && !c->tool && refuse_pipe(c->operands[0]);
}

/* "FILE: web1 (Linux 6.1.0)"; FILE alone, if it is no description. */
static void keep_name(struct result *r, const char *file, const char *machine)
{
	bool known = strcmp(file, machine);
	char *name = NULL, *plain;

	if (asprintf(&name, "%s%s%s", file, known ? ": " : "", known ? machine : "") < 0)
		name = NULL;
	plain = dtx_plain_text(name ? name : file);
	free(name);
	r->name = plain;
}

/* The machine is set before all else: what fails then, fails for it. */
static void check_one(const struct tool *tool, const struct command *c, struct result *r, FILE *out)
{
	const char *file = strchr(c->machine->arg, '=') + 1;
	struct command one = *c;         /* the work changes it */
	FILE *text = open_memstream(&r->text, &r->len);
	struct dtx *d = dtx_open();

	r->status = STATUS_FAILED;
	if (text) {
		dtx_set_name(d, program_invocation_short_name);
		dtx_on_message(d, keep_message, text);
		if (!dtx_set_option(d, "machine", file))
			r->status = command_work(tool, d, &one, out);
		if (r->status == STATUS_OK)
			dtx_matches(d);
		fclose(text);
	}
	keep_name(r, file, dtx_machine(d));
	dtx_close(d);
}

static bool same_result(const struct result *a, const struct result *b)
{
	return a->status == b->status && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static void show(struct result *r, int n, FILE *out)
{
	int good = 0;

	for (int i = 0; i < n; i++) {
		good += r[i].status == STATUS_OK;
		if (r[i].shown)
			continue;
		for (int k = i; k < n; k++) {
			if (!same_result(&r[i], &r[k]))
				continue;
			r[k].shown = true;
			fprintf(out, "%s: %s\n", r[k].name,
				r[k].status == STATUS_OK ? "compiles" : "does not compile");
		}
		for (const char *l = r[i].text; *l; l += strcspn(l, "\n"), l += *l == '\n')
			fprintf(out, "    %.*s\n", (int)strcspn(l, "\n"), l);
	}
	if (good == n)
		fprintf(out, "it compiles for all %d machines\n", n);
	else
		fprintf(out, "it compiles for %d of %d machines\n", good, n);
}

int machines_check(const struct tool *tool, struct command *c, FILE *out)
{
	int n = machines_given(c), status = STATUS_OK;
	struct result *r = refuse_scripts(c) ? NULL : calloc(n, sizeof(*r));

	for (int i = 0, at = 0; i < n && r; i++, at++) {
		at = next_machine(c, at);
		c->machine = &c->given[at];
		check_one(tool, c, &r[i], out);
		if (r[i].status > status)
			status = r[i].status;
	}
	if (r)
		show(r, n, out);
	for (int i = 0; i < n && r; i++) {
		free(r[i].name);
		free(r[i].text);
	}
	free(r);
	return r ? status : STATUS_FAILED;
}

bool machines_refuse(const struct command *c)
{
	for (int i = 0; i < c->ngiven && !c->describe && !c->hosts; i++) {
		if (c->given[i].row->action != ACT_DESCRIBE_PROGRAM)
			continue;
		command_say("--program is not used without --describe or --hosts: it says which "
			    "programs a description is to have");
		return true;
	}
	return false;
}

int machines_describe(struct dtx *d, const struct command *c, FILE *out)
{
	const char *path = c->describe;

	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_DESCRIBE_PROGRAM)
			dtx_describe_program(d, c->given[i].arg);
	return dtx_describe(d, strcmp(path, "-") ? path : NULL, out) ? STATUS_FAILED : STATUS_OK;
}
