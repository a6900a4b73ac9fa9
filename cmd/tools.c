/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tools.c - the scripts of examples/ by their names.
 *
 * They are installed as commands NAME-dtx, beside dtx or elsewhere in PATH.  A dtx that was built
 * and not installed has them as ../examples/NAME.d.
 */
#include "cmd/tools.h"
#include "cmd/say.h"

#include <dirent.h>
#include <dtx-run.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
	char *folder;
	const char *ending;      /* of the files there */
};

struct places {
	struct place *v;
	size_t n;
};

struct named {
	char *name, *path;
};

struct list {
	struct named *v;
	size_t n;
};

/* ---- where they are --------------------------------------------------------------------- */

static void add_place(struct places *p, char *folder, const char *ending)
{
	struct place *v = folder ? realloc(p->v, (p->n + 1) * sizeof(*v)) : NULL;

	if (!v) {
		free(folder);
		return;
	}
	p->v = v;
	p->v[p->n++] = (struct place){ folder, ending };
}

static struct places all_places(void)
{
	struct places p = { 0 };
	char self[PATH_MAX], *folder = NULL, *slash;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[len > 0 ? len : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash) {
		*slash = '\0';
		add_place(&p, strdup(self), "-dtx");
		if (asprintf(&folder, "%s/../examples", self) >= 0)
			add_place(&p, folder, ".d");
	}
	for (const char *at = getenv("PATH"); at && *at; at += strspn(at, ":")) {
		size_t n = strcspn(at, ":");

		if (*at == '/')
			add_place(&p, strndup(at, n), "-dtx");
		at += n;
	}
	return p;
}

static void free_places(struct places *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].folder);
	free(p->v);
}

char *tools_find(const char *name)
{
	struct places p = all_places();
	char *path = NULL;

	for (size_t i = 0; i < p.n && !path && !strchr(name, '/'); i++) {
		if (asprintf(&path, "%s/%s%s", p.v[i].folder, name, p.v[i].ending) < 0)
			path = NULL;
		if (path && access(path, R_OK)) {
			free(path);
			path = NULL;
		}
	}
	free_places(&p);
	return path;
}

/* ---- all of them ------------------------------------------------------------------------ */

static int tools_by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void add_named(struct list *l, const char *folder, const char *file, size_t len)
{
	char *name = strndup(file, len), *path = NULL;
	struct named *v = realloc(l->v, (l->n + 1) * sizeof(*v));

	if (v)
		l->v = v;
	if (!v || !name || asprintf(&path, "%s/%s", folder, file) < 0) {
		free(name);
		return;
	}
	l->v[l->n++] = (struct named){ name, path };
}

static void add_folder(struct list *l, const struct place *p, const char *begin)
{
	DIR *d = opendir(p->folder);
	size_t end = strlen(p->ending);

	for (struct dirent *e; d && (e = readdir(d));) {
		size_t len = strlen(e->d_name);

		if (len > end && !strcmp(e->d_name + len - end, p->ending) &&
		    !strncmp(e->d_name, begin, strlen(begin)))
			add_named(l, p->folder, e->d_name, len - end);
	}
	if (d)
		closedir(d);
}

/* Sorted; a tool that is in several places is in it several times, one after the other. */
static struct list all_tools(const char *begin)
{
	struct places p = all_places();
	struct list l = { 0 };

	for (size_t i = 0; i < p.n; i++)
		add_folder(&l, &p.v[i], begin);
	free_places(&p);
	if (l.n)
		qsort(l.v, l.n, sizeof(*l.v), tools_by_name);
	return l;
}

static void free_list(struct list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].path);
	}
	free(l->v);
}

void tools_each(const char *begin, void (*each)(void *arg, const char *name, const char *path),
		void *arg)
{
	struct list l = all_tools(begin);

	for (size_t i = 0; i < l.n; i++)
		if (!i || strcmp(l.v[i].name, l.v[i - 1].name))
			each(arg, l.v[i].name, l.v[i].path);
	free_list(&l);
}

/* ---- words that are no tools --------------------------------------------------------------- */

static const struct {
	const char *word, *say;
} elsewhere[] = {
	{ "record", "dtx hotcpu shows who uses the CPUs; --record FILE keeps any run; "
		    "docs/guide/from-perf.md has the commands of perf" },
	{ "report", "--replay FILE shows what --record FILE has kept" },
	{ "stat", "dtx -n 'software:::page-faults-1 { @[execname] = count(); }' counts an event; "
		  "docs/guide/from-perf.md has the commands of perf" },
	{ "top", "dtx --live hotcpu shows who uses the CPUs, again and again" },
	{ "sched", "dtx runqlat, dtx offcpu and dtx cpudist answer what perf sched does" },
	{ "probe", "a probe is named in the program: dtx -n 'kprobe:vfs_read { … }'" },
	{ "lock", "dtx lockwait and dtx klockstat show who waits for locks, and where" },
	{ "kwork", "dtx hardirqs and dtx softirqs show the time of interrupts" },
	{ "script", "--replay FILE shows what --record FILE has kept; -x format=json its records" },
	{ "diff", "dtx --stacks svg=FILE --diff FOLDED compares two profiles" },
	{ "timechart", "dtx --perfetto FILE writes the lanes of the CPUs and threads" },
	{ "strace", "dtx trace syscall:::entry -c 'COMMAND' shows its calls; "
		    "docs/guide/from-strace.md has the options of strace" },
	{ "ltrace", "dtx funccount 'pid$target:libc.so.6::entry' -c 'COMMAND' counts its calls; "
		    "docs/guide/from-strace.md has more" },
	{ "perf", "docs/guide/from-perf.md has the commands of perf, and what does the same here" },
	{ "trace-cmd", "docs/guide/from-perf.md has the commands of trace-cmd, too" },
	{ "stap", "docs/guide/from-systemtap.md has its probes, and what they are here" },
	{ "bpftrace", "dtx -n 'PROGRAM' runs one line; docs/guide/from-bpftrace.md has the rest" },
	{ "dtrace", "dtx takes what dtrace takes: dtx -n 'PROGRAM'" },
	{ "tcpdump", "dtx tcplife shows connections, dtx tcptop what they send; dtx --help pcap "
		     "explains how to keep packets" },
	{ "iotop", "dtx biotop shows who makes the disks work" },
	{ "iostat", "dtx biolatency shows the times of the disks, dtx biotop who uses them" },
	{ "list", "dtx -l lists probes; dtx -lv their arguments" },
	{ "help", "dtx --help explains the options, dtx --help TOPIC the rest" },
	{ "version", "dtx -V tells the version" },
};

struct near {
	const char *word;
	char *name;
};

static void look_near(void *arg, const char *name, const char *path)
{
	struct near *n = arg;

	if (!n->name && say_is_near(n->word, name))
		n->name = strdup(name);
}

char *tools_near(const char *word)
{
	struct near near = { word, tools_elsewhere(word) };

	if (!near.name)
		tools_each("", look_near, &near);
	return near.name;
}

const char *tools_meant(const char *word)
{
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (!strcmp(word, elsewhere[i].word))
			return elsewhere[i].say;
	return NULL;
}

char *tools_elsewhere(const char *word)
{
	static const char *const ends[] = { "-bpfcc", "-bpftrace", ".bt", ".py", ".stp" };
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t end = strlen(ends[i]);
		char *name, *path;

		if (len <= end || strcmp(word + len - end, ends[i]))
			continue;
		name = strndup(word, len - end);
		path = name ? tools_find(name) : NULL;
		if (path) {
			free(path);
			return name;
		}
		free(name);
	}
	return NULL;
}

void tools_tell(const char *word)
{
	const char *meant = tools_meant(word);
	char *near = meant ? NULL : tools_near(word);

	if (meant)
		command_say("there is no file and no tool '%s': %s", word, meant);
	else if (near)
		command_say("there is no file and no tool '%s': did you mean '%s'?", word, near);
	else
		command_say("there is no file and no tool '%s': dtx alone finds tools; to trace a "
			    "command, write -c 'COMMAND'", word);
	free(near);
}

/* Of a call or a list of calls; descriptions of probes have colons. */
bool tools_tell_calls(const char *tool, const char *calls)
{
	const char *name = strncmp(calls, "trace=", 6) ? calls : calls + 6;
	int len = (int)strcspn(name, ",");

	if (strcmp(tool, "trace") || strchr(calls, ':') || *name == '%')
		return false;
	command_say("-e only compiles: what strace -e %s shows is dtx trace syscall::%.*s:entry -c "
		    "'COMMAND'; docs/guide/from-strace.md has more", calls, len, name);
	return true;
}

/* ---- by question ------------------------------------------------------------------------- */

/* "which files are opened, and by whom?": what follows the name in the first comment. */
static char *question_of(const char *path)
{
	struct dtx_script *s = dtx_script_read(path);
	const char *text = s && s->comment ? strstr(s->comment, " - ") : NULL;
	char *question = text ? strndup(text + 3, strcspn(text + 3, "\n")) : strdup("");

	dtx_script_free(s);
	return question;
}

struct search {
	const char *word;
	FILE *out;
	int found;
};

static void show_tool(FILE *out, const char *name, const char *question)
{
	char *plain = dtx_plain_text(name), *asks = dtx_plain_text(question);

	fprintf(out, "  %-15s %s\n", plain, asks);
	free(plain);
	free(asks);
}

static void show_matching(void *arg, const char *name, const char *path)
{
	struct search *s = arg;
	char *question = question_of(path);

	if (question && (strcasestr(question, s->word) || strcasestr(name, s->word))) {
		show_tool(s->out, name, question);
		s->found++;
	}
	free(question);
}

char *tools_ask(FILE *in, FILE *out)
{
	char *line = NULL, *path;
	size_t size = 0;

	for (;;) {
		fputs("a word to look for (disk, lock, tcp), or the name of a tool; "
		      "Enter ends: ", out);
		fflush(out);
		if (getline(&line, &size, in) <= 0 || line[strspn(line, " \t\n")] == '\0')
			break;
		line[strcspn(line, "\n")] = '\0';
		path = tools_find(line);
		free(path);
		if (path)
			return line;
		struct search s = { line, out };
		tools_each("", show_matching, &s);
		if (!s.found)
			fprintf(out, "  no tool speaks of '%s'\n", line);
	}
	free(line);
	return NULL;
}

/* ---- the first line ------------------------------------------------------------------------ */

char *tools_line(const char *path)
{
	char line[256] = "", *at = line;
	struct stat st;
	FILE *f = stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : dtx_input(path);

	if (!f)                          /* a pipe can be read only once */
		return NULL;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	if (strncmp(line, "#!", 2))
		return NULL;
	at += 2 + strspn(line + 2, " \t");
	at += strcspn(at, " \t\n");
	at += strspn(at, " \t");
	at[strcspn(at, "\n")] = '\0';
	return *at == '-' ? strdup(at) : NULL;
}
