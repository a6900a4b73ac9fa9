/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rights.c - which capabilities are held, what fails without the others, and dropping
 * those that are not needed after the probes are attached.
 * Why: docs/decisions/27-capabilities.md
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <dtx/feat.h>
#include <dtx/opt.h>

#include "runtime/kernel/kernel.h"
#include "runtime/machine/machine.h"

#define RIGHTS_CPUS "/sys/devices/system/cpu/possible"

static bool rights_get(struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return !syscall(SYS_capget, &head, data);
}

bool env_has_cap(u32 cap)
{
	struct __user_cap_data_struct data[2] = { { 0 } };

	return rights_get(data) && data[cap / 32].effective >> cap % 32 & 1;
}

bool env_lock_short(struct dtx_env *env)
{
	struct rlimit lock;
	struct utsname u;
	u32 major = 0, minor = 0;

	if (uname(&u) || sscanf(u.release, "%u.%u", &major, &minor) != 2 || major > 5 ||
	    (major == 5 && minor >= 11) || getrlimit(RLIMIT_MEMLOCK, &lock) ||
	    lock.rlim_cur == RLIM_INFINITY)
		return false;
	dtx_env_fail(
		env, -EPERM,
		"only %llu KiB of memory may be locked, and Linux before 5.11 takes the memory of "
		"BPF programs from it: raise the limit, ulimit -l, or let dtx do it with "
		"CAP_SYS_RESOURCE",
		(unsigned long long)lock.rlim_cur / 1024);
	return true;
}

const char *env_lockdown(struct dtx_env *env)
{
	char *text, *from, *to;
	const char *mode = NULL;
	size_t len;

	if (machine_read(env, "/sys/kernel/security/lockdown", &text, &len))
		return NULL;
	from = strchr(text, '[');
	to = from ? strchr(from, ']') : NULL;
	if (to && strncmp(from, "[none]", 6))
		mode = arena_strndup(env->arena, from + 1, to - from - 1);
	free(text);
	return mode;
}

int env_check_rights(struct dtx_env *env)
{
	bool admin = env_has_cap(CAP_SYS_ADMIN);
	bool bpf = admin || env_has_cap(CAP_BPF), perf = admin || env_has_cap(CAP_PERFMON);

	if (!bpf || !perf)
		return dtx_env_fail(
			env, -EPERM,
			"tracing needs the capabilit%s %s%s%s, which this process does not have: "
			"run " TOOL
			" as root",
			bpf == perf ? "ies" : "y", bpf ? "" : "CAP_BPF", bpf == perf ? " and " : "",
			perf ? "" : "CAP_PERFMON");
	const char *lockdown = env_lockdown(env);
	if (lockdown && !strcmp(lockdown, "confidentiality"))
		return dtx_env_fail(
			env, -EPERM,
			"the kernel is locked down (lockdown=confidentiality) and lets no program "
			"read its memory: boot it without, or with lockdown=integrity");
	if (file_access(RIGHTS_CPUS, R_OK))
		return dtx_env_fail(env, -ENOENT, "the number of processors cannot be determined "
						  "without " RIGHTS_CPUS ": mount -t sysfs nodev "
									 "/sys");
	if (!env_has(env, FEAT_BPF) && env_lock_short(env))
		return -EPERM;
	if (!env_has(env, FEAT_BPF))
		return dtx_env_fail(
			env, -EPERM,
			"the kernel refuses bpf(2) although the capabilities are held (seccomp, a "
			"container, or a kernel without CONFIG_BPF_SYSCALL): trace from the host; "
			"" TOOL
			" --doctor shows more");
	return 0;
}

/*
 * What tracing still needs: BPF to read maps and to run END (kernels before 6.4 demand it
 * even with a file descriptor), PERFMON with it; PTRACE and DAC_READ_SEARCH for the mappings
 * and files of traced processes, CHECKPOINT_RESTORE for those that were deleted or replaced
 * (/proc/PID/map_files), SYSLOG for kernel symbols, KILL for the target.
 */
static const u32 rights_kept[] = {
	CAP_BPF, CAP_PERFMON, CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH,
	CAP_CHECKPOINT_RESTORE, CAP_SYSLOG, CAP_KILL,
};

/* Kernels of Debian, Ubuntu and Android know this level of kernel.perf_event_paranoid, and Debian's
 * begin with it: no event without CAP_SYS_ADMIN.  Linux itself has none above 2. */
#define PARANOID_ADMIN 3

static bool perf_asks_admin(void)
{
	return file_number("/proc/sys/kernel/perf_event_paranoid", 0) >= PARANOID_ADMIN;
}

bool rights_perf_denied(void)
{
	return !env_has_cap(CAP_SYS_ADMIN) && perf_asks_admin();
}

bool env_perf_denied(struct dtx_env *env)
{
	return machine_is_here(env) ? rights_perf_denied() : machine_says_yes(env, "perf-denied");
}

int env_drop_rights(struct dtx_env *env, bool attaches, bool opens)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	u32 keep[2] = { 0 };

	if (opt_num(env, OPT_destructive))      /* system() and freopen() use all capabilities */
		return 0;
	if (!rights_get(data))
		return -errno;
	for (u32 i = 0; i < ARRAY_SIZE(rights_kept); i++)
		keep[rights_kept[i] / 32] |= 1u << rights_kept[i] % 32;
	if (!env_has_cap(CAP_BPF) || !env_has_cap(CAP_PERFMON) ||
	    (attaches && !env_has(env, FEAT_UPROBE_MULTI)) || (opens && perf_asks_admin()))
		keep[0] |= 1u << CAP_SYS_ADMIN;  /* it includes them; perf's uprobes demand it */
	for (u32 i = 0; i < 2; i++) {
		data[i].effective &= keep[i];
		data[i].permitted &= keep[i];
		data[i].inheritable &= keep[i];
	}
	if (!syscall(SYS_capset, &head, data))
		return 0;
	return dtx_env_fail(env, -errno, "cannot give up capabilities: %s", strerror(errno));
}
