// SPDX-License-Identifier: BSD-2-Clause
/*
 * Formatting changes only the space between tokens, and a second time nothing: for every program
 * of the tests and examples.  Cut off at any place, or of any bytes, no text loses a token.
 */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/edit/edit.h"

/* Without white space; malloc'd. */
static char *bare(const char *s)
{
	char *to = malloc(strlen(s) + 1), *p = to;

	for (; *s; s++)
		if (!isspace((unsigned char)*s))
			*p++ = *s;
	*p = '\0';
	return to;
}

static void check_text(const char *path, const char *text, bool program)
{
	char *once = format_program(text, strlen(text));
	char *twice = format_program(once, strlen(once));
	char *before = bare(text), *after = bare(once);

	if (strcmp(before, after))
		fail_msg("%s: more than blanks changes:\n%s\n-- becomes\n%s", path, text, once);
	if (program && strcmp(once, twice))
		fail_msg("%s: a second time changes it:\n%s\n-- becomes\n%s", path, once, twice);
	free(once);
	free(twice);
	free(before);
	free(after);
}

static void formats_programs(void **state)
{
	glob_t found;
	char *text;
	size_t len;

	glob("examples/*.d", 0, NULL, &found);
	glob("tests/e2e/*/*.d", GLOB_APPEND, NULL, &found);
	glob("tests/lang/*.d", GLOB_APPEND, NULL, &found);
	assert_true(found.gl_pathc > 800);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (file_read(found.gl_pathv[i], &text, &len))
			continue;
		check_text(found.gl_pathv[i], text, true);
		for (size_t cut = len; cut > 40 && cut < 4000; cut -= 37) {
			text[cut] = '\0';
			check_text(found.gl_pathv[i], text, false);
		}
		free(text);
	}
	globfree(&found);
}

/* Bytes that mean something, in any order. */
static void formats_anything(void **state)
{
	static const char bytes[] = "a b\n\t{}()[];,:/\"'*#@=-+<>!&|?.\\~0$`";
	char text[120];

	srand(7);
	for (int i = 0; i < 200000; i++) {
		int n = rand() % (sizeof(text) - 1);

		for (int k = 0; k < n; k++)
			text[k] = bytes[rand() % (sizeof(bytes) - 1)];
		text[n] = '\0';
		check_text("random", text, false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_programs),
		cmocka_unit_test(formats_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
