/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_builtins.c - the examples of builtins.def are its tests: each that says what it
 * prints is run by $DTX (build/dtx), as root, and its output compared with the row's.
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
#include <dtx/builtins.def>
#undef BUILTIN
};

/* Illumos has it, Linux does not; the row says what it would give. */
static const char *const missing[] = { "json" };

static bool is_missing(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(missing); i++)
		if (!strcmp(missing[i], name))
			return true;
	return false;
}

static void run_child(const char *dtx, const char *text, int to)
{
	dup2(to, STDOUT_FILENO);
	close(to);
	execl(dtx, dtx, "-q", "-n", text, NULL);
	_exit(127);
}

/* What it prints, without the newline that ends every session; NULL: it failed. */
static char *run_example(const char *dtx, const char *text, char *out, size_t size)
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
		run_child(dtx, text, pipes[1]);
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

		if (!e->text || !e->output || is_missing(e->name))
			continue;
		ran++;
		got = run_example(dtx, e->text, out, sizeof(out));
		if (got && !strcmp(got, e->output))
			continue;
		print_error("%s: %s\n  gave \"%s\", not \"%s\"\n", e->name, e->text,
			    got ? got : "(it failed)", e->output);
		failed++;
	}
	assert_int_equal(failed, 0);
	assert_true(ran > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_examples) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
