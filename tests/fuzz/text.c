/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.c - libFuzzer harness of a text of others: the environment variables that set options.
 */
#include <stdlib.h>

#include <dtx/opt.h>

#include "runtime/kernel/kernel.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

extern char **environ;

/* The lines are the variables. */
static void environment(char *text)
{
	char *vars[64], *save = NULL, **before = environ;
	struct dtx_env env;
	u32 n = 0;

	for (char *v = strtok_r(text, "\n", &save); v && n < ARRAY_SIZE(vars) - 1;
	     v = strtok_r(NULL, "\n", &save))
		vars[n++] = v;
	vars[n] = NULL;
	environ = vars;
	env_open(&env);
	environ = before;
	for (u32 i = 0; i < OPT_N; i++)
		if (opt_is_set(&env, i) && opt_rows[i].kind == OPTK_STR && !opt_text(&env, i))
			__builtin_trap();
	env_close(&env);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	environment(text);
	free(text);
	return 0;
}
