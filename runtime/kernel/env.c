/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * env.c - the environment of a handle: options and their defaults, type sources, the
 * text of the last failure, the rights of the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include <dtx/opt.h>

#include "runtime/code/names.h"
#include "runtime/code/symtabs.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/kernel/kernel.h"
#include "runtime/machine/machine.h"
#include "runtime/types/types.h"

#define FIRST_PIDNS    0xeffffffc        /* PROC_PID_INIT_INO, include/linux/proc_ns.h */

extern char **environ;

/* DTX_OPT_QUIET=1, or the same with DTRACE_: settings that all others override. */
static void env_options_of(struct dtx_env *env, const char *prefix)
{
	size_t len = strlen(prefix);

	for (char **e = environ; e && *e; e++) {
		const char *value = strchr(*e, '=');
		const char *near;
		if (strncmp(*e, prefix, len) || !value)
			continue;
		char *name = arena_strndup(env->arena, *e + len, value - *e - len);
		for (char *c = name; *c; c++)
			if (*c >= 'A' && *c <= 'Z')
				*c |= 0x20;
		int err = options_set(env->opts, env->arena, name, value + 1, &near);
		struct range nowhere = { 0 };
		if (err)
			diag_warn(&env->diags, DIAG_NONE, nowhere,
				  "the environment variable %.100s is ignored: %s", *e,
				  err == -ENOENT ? "there is no such option"
						 : "the value is not valid");
	}
}

/* The coarse clocks of the kernel step by one tick. */
static u32 ticks_a_second(void)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || tick.tv_sec || !tick.tv_nsec)
		return 1;
	return (1000000000 + tick.tv_nsec / 2) / tick.tv_nsec;
}

/* Inode of this process's pid namespace; 0: the initial one. */
static u32 env_pidns(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) || st.st_ino == FIRST_PIDNS ? 0 : st.st_ino;
}

static u32 env_number(struct dtx_env *env, const char *question)
{
	const char *answer = machine_answer(env, question);

	return answer ? (u32)strtoul(answer, NULL, 10) : 0;
}

/* Numbers and types of the machine that programs are compiled for: nothing was asked before. */
static void env_take_machine(struct dtx_env *env)
{
	bool here = machine_is_here(env);
	struct btf_src *btf;
	u32 n = 0;

	env->hz = here ? ticks_a_second() : MAX(env_number(env, "hz"), 1u);
	env->ncpus = here ? (u32)MAX(libbpf_num_possible_cpus(), 1) :
			    MAX(env_number(env, "possible-cpus"), 1u);
	env->pidns = here ? env_pidns() : env_number(env, "pidns");
	env->feat = NULL;
	symtabs_free(env);
	env->sym = NULL;
	memset(env->sources, 0, sizeof(env->sources));
	btf = btf_src_open(env);
	if (btf)
		env->sources[n++] = btf_src_types(btf);
	env->sources[n] = dwarf_types(env);
}

void env_note_numbers(struct dtx_env *env)
{
	const struct utsname *u = machine_uname(env);
	const char *const texts[][2] = {
		{ "uname.sysname", u->sysname }, { "uname.nodename", u->nodename },
		{ "uname.release", u->release }, { "uname.version", u->version },
		{ "uname.machine", u->machine },
	};
	const struct { const char *name; u32 n; } numbers[] = {
		{ "hz", env->hz }, { "possible-cpus", env->ncpus }, { "pidns", env->pidns },
		{ "cpus", machine_cpus(env) },
	};

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++)
		machine_note(env, texts[i][0], texts[i][1]);
	for (u32 i = 0; i < ARRAY_SIZE(numbers); i++)
		machine_note(env, numbers[i].name,
			     arena_printf(env->arena, "%u", numbers[i].n));
	machine_note_yes(env, "perf-denied", rights_perf_denied());
	machine_note_yes(env, "sys-admin", env_has_cap(CAP_SYS_ADMIN));
}

void env_open(struct dtx_env *env)
{
	memset(env, 0, sizeof(*env));
	env->arena = arena_new();
	diags_init(&env->diags, env->arena);
	env->opts = options_new(env->arena);
	env_options_of(env, "DTRACE_OPT_");
	env_options_of(env, "DTX_OPT_");
	options_are_usual(env->opts);
	if (opt_is_set(env, OPT_machine))
		machine_open(env, opt_text(env, OPT_machine), true); /* machine_check() tells */
	diags_take(&env->diags, NULL);
	env_take_machine(env);
}

void env_close(struct dtx_env *env)
{
	if (env->prov_free)
		env->prov_free(env);
	symtabs_free(env);
	machine_close(env);
	diags_close(&env->diags);
	VEC_FREE(&env->targets);
	arena_free(env->arena);
}

int dtx_env_fail(struct dtx_env *env, int err, const char *fmt, ...)
{
	struct failure f = { .kind = DTX_FAILURE, .error = err };
	va_list ap;

	va_start(ap, fmt);
	err = diags_vfail(&env->diags, f, fmt, ap);
	va_end(ap);
	return err;
}

int dtx_env_refuse(struct dtx_env *env, u32 tag, const char *fmt, ...)
{
	struct failure f = { .kind = DTX_FAILURE, .error = -ESRCH, .tag = tag };
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = diags_vfail(&env->diags, f, fmt, ap);
	va_end(ap);
	return err;
}

void env_output_mode(struct dtx_env *env, int fd)
{
	const struct opt_value *v = &env->opts->v[OPT_outmode];
	struct stat st;

	if (v->set && fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    fchmod(fd, (mode_t)strtoul(v->s, NULL, 8)))
		errno = 0;       /* a file system without permissions */
}

int env_create_at(struct dtx_env *env, int dir, const char *name, int flags)
{
	int fd = file_create_at(dir, name, flags, 0600);

	if (fd >= 0)
		env_output_mode(env, fd);
	return fd;
}

int env_create(struct dtx_env *env, const char *path, int flags)
{
	return env_create_at(env, AT_FDCWD, path, flags);
}

int env_fail_write(struct dtx_env *env, int err, const char *what)
{
	dtx_env_fail(env, err, "cannot write %s: %s", what, file_why(-err));
	env->diags.failure.kind = DTX_WRITE;
	return err;
}

int env_fail_output(struct dtx_env *env, int err, int fd)
{
	char self[32], name[PATH_MAX];
	ssize_t n = -1;
	struct stat st;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		n = readlink(self, name, sizeof(name) - 1);
	name[MAX(n, 0)] = '\0';
	return env_fail_write(env, err, n > 0 ? name : "the output");
}

int env_put_file(struct dtx_env *env, const char *path, bool shared, const void *data, size_t len)
{
	bool made = access(path, F_OK) != 0;
	int fd = shared ? file_create(path, O_WRONLY, 0666) : env_create(env, path, O_WRONLY), err;

	if (fd < 0)
		return dtx_env_fail(env, fd, "cannot open %s: %s", path, file_why(-fd));
	err = file_put(fd, data, len);
	if (close(fd) && !err)
		err = -errno;
	if (err && made)
		unlink(path);
	return err ? env_fail_write(env, err, path) : 0;
}

u64 env_ksym(struct dtx_env *env, const char *module, const char *name)
{
	return ksyms_addr(ksyms_get(env), module, name);
}

u64 env_ksym_size(struct dtx_env *env, const char *module, const char *name)
{
	u64 addr = env_ksym(env, module, name), next = addr ? ksyms_next(ksyms_get(env), addr) : 0;

	return next ? next - addr : 0;
}

const char *env_try_option(struct dtx_env *env, const char *name, const char *value, int *err)
{
	const char *near = NULL, *words;

	*err = options_set(env->opts, env->arena, name, value, &near);
	if (!*err)
		return NULL;
	if (*err == -ENOENT)
		return arena_printf(env->arena, "there is no such option%s%s%s",
				    near ? "; did you mean '" : "", near ? near : "",
				    near ? "'?" : "");
	if (!value)
		return arena_printf(env->arena, "it needs a value: %s=VALUE", name);
	words = options_form(env->arena, name);
	return arena_printf(env->arena, "'%s' is not a valid value for it%s%s", value,
			    words ? "; use " : "", words ? words : "");
}

int env_set_option(struct dtx_env *env, const char *name, const char *value)
{
	int err;
	const char *why = env_try_option(env, name, value, &err);
	u32 id = options_find(name);

	if (why)
		return dtx_env_fail(env, err, "failed to set -x %s: %s", name, why);
	if (id == OPT_machine)
		err = machine_open(env, value, false);
	if (!err && (id == OPT_machine || id == OPT_btf))
		env_take_machine(env);
	return err;
}
