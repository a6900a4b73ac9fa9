/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hand OBJECT PROGRAM[,PROGRAM…] COMMAND [ARG…]: load these programs of hand.bpf.c with libbpf,
 * attach them, run COMMAND, detach.  User probes are set on COMMAND itself, timers at 997 hertz on
 * every CPU, those of many kernel functions on all whose name matches ARG, a glob.
 */
#include <errno.h>
#include <fnmatch.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/libbpf.h>

static void die(const char *what, int err)
{
	fprintf(stderr, "hand: %s: %s\n", what, strerror(err < 0 ? -err : err));
	exit(1);
}

static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, fmt, ap) : 0;
}

static int wanted(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *s = list; *s; s += strcspn(s, ","), s += *s == ',')
		if (!strncmp(s, name, n) && (!s[n] || s[n] == ','))
			return 1;
	return 0;
}

static void attach_timers(struct bpf_program *p)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .size = sizeof(a),
		.sample_period = 1000000000 / 997,
	};

	for (int cpu = 0; cpu < libbpf_num_possible_cpus(); cpu++) {
		int fd = syscall(SYS_perf_event_open, &a, -1, cpu, -1, 0);

		if (fd < 0 || !bpf_program__attach_perf_event(p, fd))
			die("timer", errno);
	}
}

static void attach_tracepoints(struct bpf_program *p)
{
	FILE *f = fopen("/sys/kernel/tracing/available_events", "r");
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		char *name = strchr(line, ':');

		if (!name || !strncmp(line, "syscalls:", 9))
			continue;
		name[strcspn(name, "\n")] = '\0';
		bpf_program__attach_raw_tracepoint(p, name + 1);
	}
	if (f)
		fclose(f);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In one link, which takes no name twice. */
static void attach_functions(struct bpf_program *p, const char *glob)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts,
		    .retprobe = !strncmp(bpf_program__section_name(p), "kret", 4));
	FILE *f = fopen("/sys/kernel/tracing/available_filter_functions", "r");
	static char *names[100000];
	char line[256];
	size_t n = 0;

	while (f && fgets(line, sizeof(line), f) && n < sizeof(names) / sizeof(*names)) {
		line[strcspn(line, " \t\n")] = '\0';
		if (!strchr(line, '.') && strncmp(line, "__ftrace_invalid", 16) &&
		    !fnmatch(glob, line, 0))
			names[n++] = strdup(line);
	}
	if (f)
		fclose(f);
	qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n; i++)
		if (!opts.cnt || strcmp(names[i], names[opts.cnt - 1]))
			names[opts.cnt++] = names[i];
	opts.syms = (const char **)names;
	if (!bpf_program__attach_kprobe_multi_opts(p, NULL, &opts))
		die("functions", errno);
}

static void attach(struct bpf_program *p, const char *command, const char *kind)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts,
		    .func_name = !strcmp(kind, "usdt") ? "load_site" : "load_call");

	if (bpf_program__type(p) == BPF_PROG_TYPE_PERF_EVENT)
		attach_timers(p);
	else if (!strcmp(bpf_program__section_name(p), "raw_tp"))
		attach_tracepoints(p);
	else if (strstr(bpf_program__section_name(p), "probe.multi"))
		attach_functions(p, kind);
	else if (!strcmp(bpf_program__section_name(p), "uprobe")) {
		if (!bpf_program__attach_uprobe_opts(p, -1, command, 0, &opts))
			die("uprobe", errno);
	} else if (!bpf_program__attach(p)) {
		die(bpf_program__name(p), errno);
	}
}

int main(int argc, char **argv)
{
	struct bpf_object *o;
	struct bpf_program *p;
	int status, err;

	if (argc < 4) {
		fprintf(stderr, "usage: hand OBJECT PROGRAM[,PROGRAM...] COMMAND [ARG...]\n");
		return 2;
	}
	libbpf_set_print(quiet);
	o = bpf_object__open(argv[1]);
	if (!o)
		die(argv[1], errno);
	bpf_object__for_each_program(p, o)
		bpf_program__set_autoload(p, wanted(argv[2], bpf_program__name(p)));
	err = bpf_object__load(o);
	if (err)
		die("load", err);
	bpf_object__for_each_program(p, o)
		if (wanted(argv[2], bpf_program__name(p)))
			attach(p, argv[3], argc > 4 ? argv[4] : "");
	pid_t pid = fork();
	if (!pid) {
		execv(argv[3], argv + 3);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
