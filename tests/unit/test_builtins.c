/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_builtins.c - the examples of builtins.def are its tests: $DTX (build/dtx) runs each that
 * says what it prints, as root, and its output is compared with the row's.  The others depend on
 * the machine: those that wait for no other program run, the rest compiles.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <dtx/base.h>

static const struct example {
	const char *name, *text, *output;
} examples[] = {
#define BUILTIN(name, kind, sig, lower, target, flags, doc, example, output) \
	{ #name, example, output },
#include <dtx/tables/builtins.def>
#undef BUILTIN
};

static void run_child(const char *dtx, const char *flags, const char *text, int to)
{
	dup2(to, STDOUT_FILENO);
	close(to);
	execl(dtx, dtx, flags, text, NULL);
	_exit(127);
}

/* What it prints, without the newline that ends every session; NULL: it failed. */
static char *run_example(const char *dtx, const char *flags, const char *text, char *out,
			 size_t size)
{
	int pipes[2], status;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(pipes))
		return NULL;
	pid = fork();
	if (!pid) {
		close(pipes[0]);
		run_child(dtx, flags, text, pipes[1]);
	}
	close(pipes[1]);
	while (len + 1 < size && ((n = read(pipes[0], out + len, size - 1 - len)) > 0 ||
				  (n < 0 && errno == EINTR)))
		len += n > 0 ? n : 0;
	close(pipes[0]);
	out[len] = 0;
	if (len && out[len - 1] == '\n')
		out[len - 1] = 0;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? out : NULL;
}

static void test_examples(void **state)
{
	const char *dtx = getenv("DTX") ? getenv("DTX") : "build/dtx";
	static char out[65536];
	u32 failed = 0, ran = 0;

	if (getuid() || access(dtx, X_OK))
		skip();
	for (u32 i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct example *e = &examples[i];
		char *got;

		if (!e->text || !e->output)
			continue;
		ran++;
		got = run_example(dtx, "-qn", e->text, out, sizeof(out));
		if (got && !strcmp(got, e->output))
			continue;
		print_error("%s: %s\n  gave \"%s\", not \"%s\"\n", e->name, e->text,
			    got ? got : "(it failed)", e->output);
		failed++;
	}
	assert_int_equal(failed, 0);
	assert_true(ran > 50);
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* What some kernels lack: functions, names of variables, writing to user memory. */
static bool not_everywhere(const char *text)
{
	return starts(text, "fbt") || strstr(text, "percpu_kaddr") || strstr(text, "copyout") ||
	       strstr(text, "write_user");
}

static void test_without_output(void **state)
{
	const char *dtx = getenv("DTX") ? getenv("DTX") : "build/dtx";
	static char out[65536];
	u32 failed = 0, ran = 0;

	if (getuid() || access(dtx, X_OK))
		skip();
	for (u32 i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct example *e = &examples[i];
		bool alone = e->text && (starts(e->text, "BEGIN") || starts(e->text, "profile"));

		if (!e->text || e->output || not_everywhere(e->text))
			continue;
		ran++;
		if (run_example(dtx, alone ? "-qn" : "-en", e->text, out, sizeof(out)))
			continue;
		print_error("%s: %s\n  failed\n", e->name, e->text);
		failed++;
	}
	assert_int_equal(failed, 0);
	assert_true(ran > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples), cmocka_unit_test(test_without_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
