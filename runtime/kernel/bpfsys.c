/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpfsys.c - bpf(2) and perf_event_open(2), for what libbpf 1.1 does not wrap.
 *
 * The attributes of links are declared here like in the kernel: old kernel
 * headers are enough. A kernel that does not know a field refuses the call
 * (E2BIG); it never ignores the field.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <dtx/progkind.h>

#include "runtime/kernel/kernel.h"

#define TEST_CTX_SIZE   96       /* 12 arguments, MAX_BPF_FUNC_ARGS of include/linux/bpf.h */
#define F_RETURN        1        /* BPF_F_KPROBE_MULTI_RETURN, BPF_F_UPROBE_MULTI_RETURN */

enum {                           /* enum bpf_attach_type; the newer ones: progkind.h */
	AT_RAW_TP = 23, AT_FENTRY = 24, AT_FEXIT = 25, AT_PERF_EVENT = 41,
};

/* The part of union bpf_attr that BPF_LINK_CREATE reads. */
struct link_attr {
	u32 prog_fd, target_fd, attach_type, flags;
	union {
		u64 perf_cookie;
		struct { u32 btf_id; u32 : 32; u64 cookie; } tracing;
		struct { u32 flags, cnt; u64 syms, addrs, cookies; } kprobe;
		struct { u64 ids, cookies; u32 cnt; } many;
		struct { u64 path, offsets, ref_offs, cookies; u32 cnt, flags, pid; } uprobe;
		u64 pad[6];
	};
};

struct raw_tp_attr {             /* BPF_RAW_TRACEPOINT_OPEN */
	u64 name;
	u32 prog_fd, : 32;
	u64 cookie;
};

static int sys_bpf(int cmd, const void *attr, size_t size)
{
	long fd = syscall(__NR_bpf, cmd, attr, size);

	return fd < 0 ? -errno : (int)fd;
}

static u64 ptr(const void *p)
{
	return (u64)(uintptr_t)p;
}

/* ---- links ------------------------------------------------------------------------ */

int sys_link_kprobe_multi(int prog_fd, const struct bpf_link_multi *m)
{
	struct link_attr a = {
		.prog_fd = prog_fd,
		.attach_type = m->session ? AT_KPROBE_SESSION : AT_KPROBE_MULTI,
	};

	a.kprobe.flags = m->retprobe ? F_RETURN : 0;
	a.kprobe.cnt = m->n;
	a.kprobe.syms = ptr(m->syms);
	a.kprobe.addrs = ptr(m->addrs);
	a.kprobe.cookies = ptr(m->cookies);
	return sys_bpf(BPF_LINK_CREATE, &a, sizeof(a));
}

int sys_link_uprobe_multi(int prog_fd, const struct bpf_link_multi *m)
{
	struct link_attr a = { .prog_fd = prog_fd, .attach_type = AT_UPROBE_MULTI };

	a.uprobe.path = ptr(m->path);
	a.uprobe.offsets = ptr(m->offsets);
	a.uprobe.ref_offs = ptr(m->ref_ctrs);
	a.uprobe.cookies = ptr(m->cookies);
	a.uprobe.cnt = m->n;
	a.uprobe.flags = m->retprobe ? F_RETURN : 0;
	a.uprobe.pid = m->pid > 0 ? m->pid : 0;
	return sys_bpf(BPF_LINK_CREATE, &a, sizeof(a));
}

int sys_link_raw_tp(int prog_fd, const char *name, u64 cookie)
{
	struct raw_tp_attr a = { .name = ptr(name), .prog_fd = prog_fd, .cookie = cookie };

	return sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &a, sizeof(a));
}

/*
 * Without a cookie, every kernel attaches any tracing program by the call for raw
 * tracepoints. With a cookie the kind must be given, and each is tried.
 */
int sys_link_tracing(int prog_fd, u64 cookie)
{
	static const u32 kinds[] = { AT_FENTRY, AT_FEXIT, AT_RAW_TP };
	struct link_attr a = { .prog_fd = prog_fd };
	int fd = -EINVAL;

	if (!cookie)
		return sys_link_raw_tp(prog_fd, NULL, 0);
	a.tracing.cookie = cookie;
	for (u32 i = 0; i < ARRAY_SIZE(kinds) && fd == -EINVAL; i++) {
		a.attach_type = kinds[i];
		fd = sys_bpf(BPF_LINK_CREATE, &a, sizeof(a));
	}
	return fd;
}

int sys_link_tracing_multi(int prog_fd, const struct bpf_link_funcs *f)
{
	struct link_attr a = {
		.prog_fd = prog_fd,
		.attach_type = f->retprobe ? AT_FEXIT_MULTI : AT_FENTRY_MULTI,
	};

	a.many.ids = ptr(f->btf_ids);
	a.many.cookies = ptr(f->cookies);
	a.many.cnt = f->n;
	return sys_bpf(BPF_LINK_CREATE, &a, sizeof(a));
}

int sys_link_perf(int prog_fd, int perf_fd, u64 cookie)
{
	struct link_attr a = {
		.prog_fd = prog_fd, .target_fd = perf_fd, .attach_type = AT_PERF_EVENT,
		.perf_cookie = cookie,
	};

	return sys_bpf(BPF_LINK_CREATE, &a, sizeof(a));
}

int sys_link_iter(int prog_fd)
{
	struct link_attr a = { .prog_fd = prog_fd, .attach_type = BPF_TRACE_ITER };

	return sys_bpf(BPF_LINK_CREATE, &a, sizeof(a));
}

int sys_iter_create(int link_fd)
{
	struct { u32 link_fd, flags; } a = { link_fd, 0 };

	return sys_bpf(BPF_ITER_CREATE, &a, sizeof(a));
}

static int test_run(int prog_fd, union bpf_attr *a, const u64 *args, u32 n)
{
	u64 ctx[TEST_CTX_SIZE / 8] = { 0 };

	for (u32 i = 0; i < n; i++)
		ctx[i] = args[i];
	a->test.prog_fd = prog_fd;
	a->test.ctx_in = ptr(ctx);
	a->test.ctx_size_in = sizeof(ctx);
	return sys_bpf(BPF_PROG_TEST_RUN, a, sizeof(*a));
}

int sys_test_run(int prog_fd, int cpu)
{
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	if (cpu >= 0) {
		a.test.flags = BPF_F_TEST_RUN_ON_CPU;
		a.test.cpu = cpu;
	}
	return test_run(prog_fd, &a, NULL, 0);
}

int sys_test_run_args(int prog_fd, u64 arg0, u64 arg1, u32 *result)
{
	u64 args[] = { arg0, arg1 };
	union bpf_attr a;

	memset(&a, 0, sizeof(a));
	int err = test_run(prog_fd, &a, args, ARRAY_SIZE(args));

	*result = a.test.retval;
	return err;
}

/* ---- perf events -------------------------------------------------------------------- */

int sys_perf_open(struct perf_event_attr *a, s32 pid, int cpu)
{
	long fd;

	a->size = sizeof(*a);
	fd = syscall(__NR_perf_event_open, a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int sys_perf_mappings(s32 pid, int cpu, bool comm, size_t size, struct perf_event_mmap_page **page)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .mmap = 1, .mmap2 = 1,
		.comm = comm, .comm_exec = comm, .watermark = 1, .wakeup_watermark = UINT32_MAX,
	};
	int fd = sys_perf_open(&a, pid, cpu), err;
	void *at;

	if (fd < 0)
		return fd;
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at != MAP_FAILED) {
		*page = at;
		return fd;
	}
	err = -errno;
	close(fd);
	return err;
}

/* A number in a small file of the PMU: "7\n", or after `key` ("config:0"). */
static int pmu_number(const char *pmu, const char *file, const char *key)
{
	char path[128], text[64], *p = text;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", pmu, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -EINVAL;
	text[n] = '\0';
	if (key && (p = strstr(text, key)))
		p += strlen(key);
	return p ? (int)strtol(p, NULL, 10) : -EINVAL;
}

int sys_perf_probe(const char *pmu, bool ret, const char *target, u64 off, u64 ref_ctr, s32 pid)
{
	int type = pmu_number(pmu, "type", NULL);
	int bit = ret ? pmu_number(pmu, "format/retprobe", "config:") : 0;
	int ctr = ref_ctr ? pmu_number(pmu, "format/ref_ctr_offset", "config:") : 0;
	struct perf_event_attr a;

	if (type < 0 || bit < 0 || ctr < 0)
		return type < 0 ? type : bit < 0 ? bit : ctr;
	memset(&a, 0, sizeof(a));
	a.type = type;
	a.config = (ret ? 1ull << bit : 0) | ref_ctr << ctr;
	a.config1 = ptr(target);         /* kprobe_func, uprobe_path */
	a.config2 = off;                 /* probe_offset; the address if there is no function */
	return sys_perf_open(&a, pid > 0 ? pid : -1, pid > 0 ? -1 : 0);
}

int sys_perf_tracepoint(u64 event_id)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof(a));
	a.type = PERF_TYPE_TRACEPOINT;
	a.config = event_id;
	a.disabled = 1;
	return sys_perf_open(&a, -1, 0);
}

int sys_perf_timer(u64 period_ns, int cpu)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof(a));
	a.type = PERF_TYPE_SOFTWARE;
	a.config = PERF_COUNT_SW_CPU_CLOCK;
	a.sample_period = period_ns;
	a.disabled = 1;
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return sys_perf_open(&a, -1, cpu);
}

int sys_perf_event(u32 type, u64 config, u64 period, int cpu, s32 pid)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof(a));
	a.type = type;
	a.config = config;
	a.sample_period = period;
	return sys_perf_open(&a, pid > 0 ? pid : pid == 0 ? 0 : -1, cpu);
}
