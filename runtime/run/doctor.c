/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor.c - what can be traced on this machine, and why not: the tables of --features
 * and --doctor.
 *
 * Both only ask: no program stays loaded, and none is attached.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <dtx/feat.h>

#include "runtime/machine/machine.h"
#include "runtime/run/run.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"

#define FORMATS_OF_EVENTS "/sys/kernel/tracing/events"

/* Kernel configuration that an ability needs. Abilities without a row can be missing for other
 * reasons. */
static const struct { u32 f; const char *configs; } doctor_configs[] = {
	{ FEAT_BPF,         "BPF_SYSCALL BPF_EVENTS" },
	{ FEAT_BTF,         "DEBUG_INFO_BTF" },
	{ FEAT_KPROBE,      "KPROBES KPROBE_EVENTS" },
	{ FEAT_KPROBE_MULTI, "FPROBE" },
	{ FEAT_FENTRY,      "DYNAMIC_FTRACE_WITH_DIRECT_CALLS DEBUG_INFO_BTF" },
	{ FEAT_TP_BTF,      "DEBUG_INFO_BTF BPF_EVENTS" },
	{ FEAT_TRACEPOINT,  "PERF_EVENTS EVENT_TRACING" },
	{ FEAT_UPROBE,      "UPROBES UPROBE_EVENTS" },
	{ FEAT_PERF_EVENTS, "PERF_EVENTS" },
};

static const struct { const char *name, *doc; } doctor_features[FEAT_N] = {
#define FEATURE(id, name, doc) [id] = { name, doc },
#include <dtx/tables/features.def>
#undef FEATURE
};

/* ---- what the kernel was built with ---------------------------------------------------- */

/* The text of the configuration, from a place where it is not compressed.  malloc'd, or NULL. */
static char *doctor_config(void)
{
	struct utsname u;
	char path[128], *text = NULL;
	size_t len;

	uname(&u);
	snprintf(path, sizeof(path), "/boot/config-%.100s", u.release);
	if (!file_read(path, &text, &len))
		return text;
	snprintf(path, sizeof(path), "/lib/modules/%.90s/config", u.release);
	return file_read(path, &text, &len) ? NULL : text;
}

/* Words of `wanted` that are not set in the configuration, as "CONFIG_A, CONFIG_B". */
static void doctor_unset(const char *config, const char *wanted, struct buf *out)
{
	while (config && *wanted) {
		size_t len = strcspn(wanted, " ");
		char line[80];

		snprintf(line, sizeof(line), "\nCONFIG_%.*s=", (int)len, wanted);
		if (!strstr(config, line))
			buf_printf(out, "%sCONFIG_%.*s", out->len ? ", " : "", (int)len, wanted);
		wanted += len + strspn(wanted + len, " ");
	}
}

/* ---- --features --------------------------------------------------------------------------- */

int doctor_print_features(struct dtx_env *env, FILE *out)
{
	char *config = machine_is_here(env) ? doctor_config() : NULL;

	for (u32 f = 0; f < FEAT_N; f++) {
		struct buf unset = { 0 };
		bool has = env_has(env, f);

		for (u32 i = 0; i < ARRAY_SIZE(doctor_configs) && !has; i++)
			if (doctor_configs[i].f == f)
				doctor_unset(config, doctor_configs[i].configs, &unset);
		fprintf(out, "%-16s %-4s %s%s%s\n", doctor_features[f].name, has ? "yes" : "no",
			doctor_features[f].doc, unset.len ? "; this kernel is built without " : "",
			unset.len ? unset.data : "");
		buf_free(&unset);
	}
	free(config);
	return ferror(out) ? -EIO : 0;
}

/* ---- --doctor ----------------------------------------------------------------------------- */

/* Capabilities, and what fails without each; the last two only make more visible. */
static const struct {
	u32 cap; const char *name, *without;
} doctor_caps[] = {
	{ CAP_BPF, "CAP_BPF", "no program can be loaded: nothing can be traced" },
	{ CAP_PERFMON, "CAP_PERFMON",
	  "programs may not read kernel memory, and no probe can be attached" },
	{ CAP_SYS_PTRACE, "CAP_SYS_PTRACE",
	  "-p and symbols of processes of other users are not available" },
	{ CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH",
	  "tracefs, /proc and objects that only root may read are not readable: "
	  "tracepoint may find no events" },
	{ CAP_SYSLOG, "CAP_SYSLOG",
	  "/proc/kallsyms shows no addresses: kernel stacks have no names (kernel.kptr_restrict)" },
};

static void doctor_line(FILE *out, const char *what, bool good, const char *fmt, ...)
{
	va_list ap;

	fprintf(out, "%-20s %-4s ", what, good ? "yes" : "no");
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	fputc('\n', out);
}

static void doctor_rights(FILE *out)
{
	bool admin = env_has_cap(CAP_SYS_ADMIN);

	for (u32 i = 0; i < ARRAY_SIZE(doctor_caps); i++) {
		u32 cap = doctor_caps[i].cap;
		bool has = env_has_cap(cap) || (admin && (cap == CAP_BPF || cap == CAP_PERFMON));

		doctor_line(out, doctor_caps[i].name, has, "%s%s", has ? "" : "without it ",
			    has ? "held" : doctor_caps[i].without);
	}
}

/* In the user namespace of a container, the capabilities of root are not valid for tracing. */
static bool doctor_first_namespace(void)
{
	char *text;
	unsigned long long in = 0, outside = 0, n = 0;
	size_t len;

	if (file_read("/proc/self/uid_map", &text, &len))
		return true;
	int got = sscanf(text, "%llu %llu %llu", &in, &outside, &n);

	free(text);
	return got != 3 || (!in && !outside && n == UINT32_MAX);
}

static void doctor_lockdown(struct dtx_env *env, FILE *out)
{
	const char *lockdown = env_lockdown(env);

	doctor_line(
		out, "no lockdown", !lockdown, "%s%s",
		lockdown ? lockdown : "kernel memory may be read",
		!lockdown ? ""
		: !strcmp(lockdown, "integrity")
			? ": copyout() and raise() are refused, the rest works"
			: ": kernel memory, kprobes, perf events and tracefs are not accessible; "
			  "boot without lockdown=confidentiality");
}

static void doctor_types(struct dtx_env *env, FILE *out)
{
	bool btf = env_has(env, FEAT_BTF);

	doctor_line(out, "kernel types", btf, "%s", btf ? "/sys/kernel/btf/vmlinux" :
		    "no /sys/kernel/btf/vmlinux: use a kernel with CONFIG_DEBUG_INFO_BTF");
}

static void doctor_perf(struct dtx_env *env, FILE *out)
{
	s64 paranoid = machine_number(env, "/proc/sys/kernel/perf_event_paranoid", -1);

	doctor_line(out, "perf events", paranoid <= 2, "kernel.perf_event_paranoid is %lld%s",
		    (long long)paranoid,
		    paranoid <= 2 ? "" : ": CAP_PERFMON may not be enough, CAP_SYS_ADMIN is");
}

/* What a description says of the rights of its maker is all that there is of rights. */
static void doctor_described(struct dtx_env *env, FILE *out)
{
	bool bpf = env_has(env, FEAT_BPF), events = !machine_access(env, FORMATS_OF_EVENTS, R_OK);

	doctor_line(out, "kernel", bpf, "%s%s", machine_name(env),
		    bpf ? "" : ": bpf(2) was refused, or nobody with the rights described it");
	doctor_lockdown(env, out);
	doctor_types(env, out);
	doctor_line(out, "tracefs", events, "%s", events ? "formats of events are described" :
		    "formats of events are not described");
	doctor_perf(env, out);
	doctor_line(out, "programs", machine_has_programs(env), "%s",
		    machine_has_programs(env) ? "some are described" :
		    "none is described: dtx --describe FILE --program PATH");
}

static void doctor_kernel(struct dtx_env *env, FILE *out)
{
	s64 jit = file_number("/proc/sys/net/core/bpf_jit_enable", 1);
	bool bpf = env_has(env, FEAT_BPF);
	struct utsname u;

	uname(&u);
	doctor_line(
		out, "kernel", bpf, "Linux %s%s", u.release,
		bpf ? ""
		    : ": bpf(2) is refused; if the capabilities are held, by lockdown or seccomp: "
		      "trace from the host, or give the container seccomp=unconfined");
	doctor_lockdown(env, out);
	doctor_types(env, out);
	doctor_line(out, "sysfs", !file_access("/sys/devices", R_OK), "%s",
		    !file_access("/sys/devices", R_OK)
			    ? "/sys"
			    : "not mounted; nothing can be traced: mount -t sysfs nodev /sys");
	doctor_line(
		out, "procfs", !file_access("/proc/self", R_OK), "%s",
		!file_access("/proc/self", R_OK)
			? "/proc"
			: "not mounted; symbols and processes cannot be found: "
			  "mount -t proc nodev /proc");
	doctor_line(out, "tracefs", tracefs_path(env), "%s", tracefs_path(env) ? tracefs_path(env) :
		    "not mounted or not readable: mount -t tracefs nodev /sys/kernel/tracing");
	doctor_perf(env, out);
	doctor_line(out, "BPF compiler", jit, "%s", jit ? "programs run as machine code" :
		    "programs are interpreted: sysctl net.core.bpf_jit_enable=1");
	doctor_line(
		out, "user namespace", doctor_first_namespace(), "%s",
		doctor_first_namespace()
			? "the initial one"
			: "of a container: its capabilities are not valid for the kernel; trace "
			  "from the host");
}

static void doctor_provider(struct dtx_env *env, const struct dtx_provider *p, const char *config,
			    FILE *out)
{
	const char *why = p->missing ? p->missing(env) : NULL;
	struct buf unset = { 0 };

	if (!why && strcmp(p->name, "dtrace") && !env_has(env, FEAT_BPF))
		why = "bpf(2) is refused: see above";
	if (why && !strcmp(p->name, "fbt"))
		doctor_unset(config, "KPROBES FPROBE DYNAMIC_FTRACE_WITH_DIRECT_CALLS", &unset);
	doctor_line(out, p->name, !why, "%s%s%s", why ? why : p->doc,
		    unset.len ? "; this kernel is built without " : "",
		    unset.len ? unset.data : "");
	buf_free(&unset);
}

int doctor_print(struct dtx_env *env, FILE *out)
{
	bool here = machine_is_here(env);
	char *config = here ? doctor_config() : NULL;

	if (here) {
		doctor_rights(out);
		doctor_kernel(env, out);
	} else {
		doctor_described(env, out);
	}
	fputc('\n', out);
	for (u32 i = 0; dtx_providers[i]; i++)
		doctor_provider(env, dtx_providers[i], config, out);
	machine_tell(env);               /* what a description lacks */
	free(config);
	return ferror(out) ? -EIO : 0;
}
