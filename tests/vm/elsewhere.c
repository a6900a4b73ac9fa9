/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elsewhere.c - compiles programs here for the kernel of a guest, where compiling takes minutes.
 *
 * usage: elsewhere --facts FOLDER   in the guest: keeps there what the compiler asks the kernel
 *        elsewhere FOLDER           here: for each line "PROGRAM IMAGE" of standard input, compiles
 *                                   the one to the other; messages go to IMAGE.err
 *
 * The compiler is dtx's, and it is told nothing but what it would find in the guest: files of /sys
 * and /proc are covered by the guest's, in a mount namespace of its own; abilities, release, clock
 * and CPUs are read from the file "facts".  So the guest would make the same image, and takes it as
 * its own; tests/gen/guest has it make some of them, and compares.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtx.h>
#include <dtx/feat.h>
#include <dtx/handle.h>

static const char *const names[FEAT_N] = {
#define FEATURE(id, name, doc) [id] = name,
#include <dtx/tables/features.def>
#undef FEATURE
};

/* Files and folders of the kernel that the compiler reads for these programs. */
static const char *const read_by_compiler[] = {
	"/sys/kernel/btf",
	"/sys/kernel/notes",
	"/sys/kernel/tracing/available_events",
	"/sys/kernel/tracing/events/raw_syscalls",
	"/sys/kernel/tracing/events/syscalls",
	"/proc/kallsyms",
	"/proc/sys/kernel/random/boot_id",
};

static struct utsname told;      /* what the compiler is told of the kernel; empty: the truth */

/* In place of that of libc. */
int uname(struct utsname *u)
{
	if (!*told.release)
		return syscall(SYS_uname, u);
	*u = told;
	return 0;
}

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "elsewhere: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- in the guest ------------------------------------------------------------------------ */

/* One word and its value a line. */
static void facts_write(struct dtx *d, FILE *f)
{
	struct dtx_env *env = handle_env(d);
	struct utsname u;

	if (!f || uname(&u))
		die("facts");
	fprintf(f, "release %s\nversion %s\nhz %u\ncpus %u\npidns %u\n", u.release, u.version,
		env->hz, env->ncpus, env->pidns);
	for (u32 i = 0; i < FEAT_N; i++)
		fprintf(f, "%s %d\n", names[i], env_has(env, i));
	fclose(f);
}

static void facts_make(struct dtx *d, const char *folder)
{
	char command[4096];

	if (chdir(folder))
		die(folder);
	facts_write(d, fopen("facts", "we"));
	for (size_t i = 0; i < ARRAY_SIZE(read_by_compiler); i++) {
		snprintf(command, sizeof(command), "cp --parents -r %s .", read_by_compiler[i]);
		if (system(command))
			fprintf(stderr, "elsewhere: no %s\n", read_by_compiler[i]);
	}
}

/* ---- here -------------------------------------------------------------------------------- */

static void fact_take(struct dtx_env *env, const char *name, const char *value)
{
	if (!strcmp(name, "release"))
		strcpy(told.release, value);
	else if (!strcmp(name, "version"))
		strcpy(told.version, value);
	else if (!strcmp(name, "hz"))
		env->hz = atoi(value);
	else if (!strcmp(name, "cpus"))
		env->ncpus = atoi(value);
	else if (!strcmp(name, "pidns"))
		env->pidns = atoi(value);
	for (u32 i = 0; i < FEAT_N; i++)
		if (!strcmp(name, names[i]))
			env->feat[i] = atoi(value) ? 1 : -1;
}

static void facts_read(struct dtx_env *env, const char *folder)
{
	char path[4096], name[64], value[sizeof(told.version)];

	snprintf(path, sizeof(path), "%s/facts", folder);
	FILE *f = fopen(path, "re");
	if (!f || uname(&told))
		die(path);
	while (fscanf(f, "%63s %64[^\n]", name, value) == 2)
		fact_take(env, name, value);
	fclose(f);
}

/* For this process alone. */
static void cover(const char *folder)
{
	char from[4096];

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		die("a mount namespace of its own");
	if (access("/sys/kernel/tracing/events", F_OK))
		mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(read_by_compiler); i++) {
		snprintf(from, sizeof(from), "%s%s", folder, read_by_compiler[i]);
		if (mount(from, read_by_compiler[i], NULL, MS_BIND, NULL))
			die(read_by_compiler[i]);
	}
}

static void say(void *to, const struct dtx_message *m)
{
	char *text = dtx_message_text(m, false);

	fputs(text, to);
	free(text);
}

/* In a child: each program begins with the same handle. */
static int compile(struct dtx *d, const char *program, const char *image)
{
	char path[4096 + 8];

	snprintf(path, sizeof(path), "%s.err", image);
	FILE *err = fopen(path, "we");
	if (!err)
		die(path);
	dtx_on_message(d, say, err);
	int bad = dtx_program_file(d, program) || dtx_image_write(d, image);
	fclose(err);
	return bad;
}

int main(int argc, char **argv)
{
	char program[4096], image[4096];

	if (argc == 3 && !strcmp(argv[1], "--facts")) {
		facts_make(dtx_open(), argv[2]);
		return 0;
	}
	if (argc != 2)
		return 2;
	cover(argv[1]);
	struct dtx *d = dtx_open();
	facts_read(handle_env(d), argv[1]);
	while (scanf("%4095s %4095s", program, image) == 2) {
		pid_t pid = fork();
		int status;

		if (!pid)
			_exit(compile(d, program, image));
		if (pid < 0 || waitpid(pid, &status, 0) < 0)
			die("fork");
		printf("%s %d\n", image, status);
		fflush(stdout);
	}
	return 0;
}
