/* SPDX-License-Identifier: BSD-2-Clause */
// needs: root
/*
 * test_message.c - what a program that uses the library is told: everything, in order, as objects,
 * and nothing on its standard files.
 */
#include <dtx.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <dtx/tag.h>

#define MOST 64

/* What was told, copied as far as the tests ask for it. */
static struct told {
	struct dtx_message m;
	char text[400], probe[100], reason[40], tag[40], file[40], note[200], hint[200];
} all[MOST];
static unsigned ntold;

static void keep(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from ? from : "");
}

static void remember(void *arg, const struct dtx_message *m)
{
	struct told *t = &all[ntold < MOST - 1 ? ntold++ : ntold];

	assert_ptr_equal(arg, &all);
	assert_string_equal(m->tool, "embedder");
	t->m = *m;
	keep(t->text, sizeof(t->text), m->text);
	keep(t->probe, sizeof(t->probe), m->probe);
	keep(t->reason, sizeof(t->reason), m->reason);
	keep(t->tag, sizeof(t->tag), m->tag);
	keep(t->file, sizeof(t->file), m->at.file);
	keep(t->note, sizeof(t->note), m->notes ? m->notes->text : NULL);
	keep(t->hint, sizeof(t->hint), m->hint);
}

/* The first from `from` on of that kind; NULL: none. */
static const struct told *next_of(enum dtx_kind kind, unsigned from)
{
	for (unsigned i = from; i < ntold; i++)
		if (all[i].m.kind == kind)
			return &all[i];
	return NULL;
}

static struct dtx *opened(const char *text)
{
	struct dtx *d = dtx_open();

	ntold = 0;
	memset(all, 0, sizeof(all));
	dtx_set_name(d, "embedder");
	dtx_on_message(d, remember, &all);
	assert_int_equal(dtx_set_option(d, "quiet", NULL), 0);
	assert_int_equal(dtx_program_add(d, DTX_PROG_SCRIPT, "test.d", text, strlen(text)), 0);
	return d;
}

static int run(struct dtx *d, FILE *out)
{
	int err = dtx_compile(d);

	if (!err)
		err = dtx_enable(d);
	if (!err)
		err = dtx_start(d, out);
	return err ? err : dtx_run(d);
}

static void test_place(void **state)
{
	struct dtx *d = opened("BEGIN\n{\n\ttrace(curthread->nosuchthing);\n}\n");

	assert_int_equal(dtx_compile(d), -EINVAL);
	assert_int_equal(ntold, 1);
	assert_int_equal(all[0].m.kind, DTX_DIAGNOSTIC);
	assert_int_equal(all[0].m.severity, DTX_ERROR);
	assert_string_equal(all[0].tag, "D_TYPE_MEMBER");
	assert_string_equal(all[0].file, "test.d");
	assert_int_equal(all[0].m.at.line, 3);
	assert_int_equal(all[0].m.at.column, 19);
	assert_int_equal(all[0].m.at.end_line, 3);
	assert_int_equal(all[0].m.at.end_column, 30);
	assert_int_equal(all[0].m.at.from, 26);
	assert_int_equal(all[0].m.at.to, 37);
	assert_non_null(strstr(all[0].note, "struct task_struct"));
	dtx_close(d);
}

/* A failure that nobody gave a place. */
static void test_failure(void **state)
{
	struct dtx *d = opened("BEGIN { exit(0); }");

	assert_int_equal(dtx_set_option(d, "nosuchoption", NULL), -ENOENT);
	assert_int_equal(ntold, 1);
	assert_int_equal(all[0].m.kind, DTX_FAILURE);
	assert_int_equal(all[0].m.error, ENOENT);
	assert_int_equal(dtx_program_file(d, "/nonexistent.d"), -ENOENT);
	assert_int_equal(ntold, 2);
	dtx_close(d);
}

/* A fault, a loss, and the end, in the order in which they happened. */
static void test_run(void **state)
{
	struct dtx *d =
		opened("BEGIN { self->n = 0; self->s = speculation(); self->t = speculation(); }\n"
		       "BEGIN { trace(1 / self->n); }\nBEGIN { exit(7); }\n");
	FILE *out = fopen("/dev/null", "w");
	const struct told *t;

	assert_int_equal(run(d, out), 0);
	t = next_of(DTX_FAULT, 0);
	assert_non_null(t);
	assert_string_equal(t->probe, "dtrace:::BEGIN");
	assert_int_equal(t->m.probe_id, 1);
	assert_true(t->m.cpu >= 0);
	assert_int_equal(t->m.at.line, 2);
	assert_int_equal(t->m.at.column, 15);
	assert_null(t->m.at.text);
	assert_string_equal(t->reason, "divide-by-zero");
	t = next_of(DTX_LOSS, t - all);
	assert_non_null(t);
	assert_string_equal(t->reason, "SPECUNAVAIL");
	assert_int_equal(t->m.count, 1);
	t = next_of(DTX_END, t - all);
	assert_non_null(t);
	assert_int_equal(t->m.status, 7);
	assert_int_equal(t->m.error, 0);
	assert_ptr_equal(t, &all[ntold - 1]);
	dtx_close(d);
	fclose(out);
}

/* The account of losses, which is not told with the option quiet. */
static void test_account(void **state)
{
	struct dtx *d = opened("BEGIN { x = 0; trace(1 / x); }\nBEGIN { exit(0); }\n");
	FILE *out = fopen("/dev/null", "w");
	const struct told *t;

	assert_int_equal(dtx_set_option(d, "quiet", "off"), 0);
	assert_int_equal(run(d, out), 0);
	assert_non_null(next_of(DTX_NOTICE, 0));                 /* how many probes matched */
	t = next_of(DTX_ACCOUNT, 0);
	assert_non_null(t);
	assert_string_equal(t->probe, "dtrace:::BEGIN");
	assert_int_equal(t->m.nlosses, 1);
	assert_int_equal(t->m.count, 1);
	dtx_close(d);
	fclose(out);
}

static void test_write_error(void **state)
{
	struct dtx *d = opened("BEGIN { printf(\"text\\n\"); exit(0); }");
	FILE *full = fopen("/dev/full", "w");
	const struct told *t;

	assert_int_equal(run(d, full), -ENOSPC);
	t = next_of(DTX_WRITE, 0);
	assert_non_null(t);
	assert_int_equal(t->m.error, ENOSPC);
	assert_string_equal(t->text, "cannot write the output: No space left on device");
	t = next_of(DTX_END, t - all);
	assert_non_null(t);
	assert_int_equal(t->m.error, ENOSPC);
	dtx_close(d);
	fclose(full);
}

/* The preprocessor's own text is the one thing that comes as it is. */
static void test_listing(void **state)
{
	struct dtx *d = opened("#error this and that\nBEGIN { exit(0); }\n");

	assert_int_equal(dtx_set_option(d, "cpp", NULL), 0);
	assert_int_equal(dtx_compile(d), -EINVAL);
	assert_int_equal(all[0].m.kind, DTX_LISTING);
	assert_non_null(strstr(all[0].text, "this and that"));
	assert_int_equal(all[1].m.kind, DTX_DIAGNOSTIC);
	dtx_close(d);
}

/* Standard input is empty, output and error are files that stay empty, while all of this runs. */
static FILE *files[2];
static int saved[3];

static int quiet_files(void **state)
{
	FILE *none = fopen("/dev/null", "r");

	fflush(NULL);
	for (int i = 0; i < 3; i++)
		saved[i] = dup(i);
	dup2(fileno(none), 0);
	fclose(none);
	for (int i = 0; i < 2; i++) {
		files[i] = tmpfile();
		dup2(fileno(files[i]), i + 1);
	}
	return 0;
}

static int still_quiet(void **state)
{
	int printed = 0, c;

	fflush(NULL);
	for (int i = 0; i < 3; i++) {
		dup2(saved[i], i);
		close(saved[i]);
	}
	for (int i = 0; i < 2; i++) {
		rewind(files[i]);
		for (; (c = getc(files[i])) != EOF; printed++)
			putc(c, stderr);
		fclose(files[i]);
	}
	return printed != 0;
}

#define TEST(f)  cmocka_unit_test_setup_teardown(f, quiet_files, still_quiet)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_place), TEST(test_failure), TEST(test_run), TEST(test_account),
		TEST(test_write_error), TEST(test_listing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
