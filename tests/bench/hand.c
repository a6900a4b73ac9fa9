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

#include <bpf/btf.h>
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

/*
 * Kinds that libbpf does not know, by their section in newer.bpf.c; the numbers are those of enum
 * bpf_attach_type in include/uapi/linux/bpf.h. All are at the functions of a glob.
 */
static const struct kind {
	const char *section;
	enum bpf_prog_type type;
	int attach, ret;
} kinds[] = {
	{ "new.kmulti", BPF_PROG_TYPE_KPROBE, 42, 0 },
	{ "new.kretmulti", BPF_PROG_TYPE_KPROBE, 42, 1 },
	{ "new.ksession", BPF_PROG_TYPE_KPROBE, 56, 0 },
	{ "new.fmulti", BPF_PROG_TYPE_TRACING, 59, 0 },
	{ "new.fexmulti", BPF_PROG_TYPE_TRACING, 60, 0 },
	{ "new.fsmulti", BPF_PROG_TYPE_TRACING, 61, 0 },
	{ NULL },
};

static const struct kind *kind_of(const struct bpf_program *p)
{
	const struct kind *k = kinds;

	while (k->section && strcmp(k->section, bpf_program__section_name(p)))
		k++;
	return k->section ? k : NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *names[100000];

/* Names of functions, each once: a link takes no name twice. */
static size_t functions(const char *glob)
{
	FILE *f = fopen("/sys/kernel/tracing/available_filter_functions", "r");
	char line[256];
	size_t n = 0, to = 0;

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
		if (!to || strcmp(names[i], names[to - 1]))
			names[to++] = names[i];
	return to;
}

static void attach_functions(struct bpf_program *p, const char *glob)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .syms = (const char **)names,
		    .cnt = functions(glob),
		    .retprobe = !strncmp(bpf_program__section_name(p), "kret", 4));

	if (!bpf_program__attach_kprobe_multi_opts(p, NULL, &opts))
		die("functions", errno);
}

/* The part of union bpf_attr that BPF_LINK_CREATE reads. */
struct link_attr {
	unsigned prog_fd, target_fd, attach_type, flags;
	union {
		struct { unsigned flags, cnt; __u64 syms, addrs, cookies; } kprobe;
		struct { __u64 ids, cookies; unsigned cnt, pad; } tracing;
	};
};

/* Functions that BTF describes have a number there; a glob may name others, too. */
static void attach_newer(struct bpf_program *p, const struct kind *k, const char *glob)
{
	struct link_attr a = { .prog_fd = bpf_program__fd(p), .attach_type = k->attach };
	static __u32 ids[100000];
	size_t n = functions(glob), to = 0;
	struct btf *btf = btf__load_vmlinux_btf();

	if (k->type == BPF_PROG_TYPE_KPROBE) {
		a.kprobe.flags = k->ret;
		a.kprobe.cnt = n;
		a.kprobe.syms = (__u64)names;
	} else {
		for (size_t i = 0; i < n; i++) {
			int id = btf__find_by_name_kind(btf, names[i], BTF_KIND_FUNC);

			if (id > 0)
				ids[to++] = id;
		}
		a.tracing.ids = (__u64)ids;
		a.tracing.cnt = to;
	}
	btf__free(btf);
	if (syscall(SYS_bpf, BPF_LINK_CREATE, &a, sizeof(a)) < 0)
		die(bpf_program__name(p), errno);
}

static void attach(struct bpf_program *p, const char *command, const char *kind)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts,
		    .func_name = !strcmp(kind, "usdt") ? "load_site" : "load_call");

	if (kind_of(p))
		attach_newer(p, kind_of(p), getenv("HAND_FUNCTIONS") ?: "vfs_[r-w]*");
	else if (bpf_program__type(p) == BPF_PROG_TYPE_PERF_EVENT)
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
	bpf_object__for_each_program(p, o) {
		const struct kind *k = kind_of(p);

		bpf_program__set_autoload(p, wanted(argv[2], bpf_program__name(p)));
		if (k) {
			bpf_program__set_type(p, k->type);
			bpf_program__set_expected_attach_type(p, k->attach);
		}
	}
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
