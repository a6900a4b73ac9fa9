/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.c - libFuzzer harness of what is read from the files of traced programs: symbols, places
 * of functions, USDT notes and the text of their arguments.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/symbols.h"

#include "runtime/code/code.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/provider.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void notes(struct dtx_env *env, struct arena *a, const char *path, struct elfsyms *e)
{
	const struct usdt_notes *notes = usdt_notes(codefile_at(env, path));
	const struct usdt_note *v = notes->v;
	u32 n = notes->n;

	for (u32 i = 0; i < n; i++) {
		struct usdt_where at = { e, v[i].addr };
		struct dtx_arg args[DTX_MAX_ARGS];

		usdt_parse_args(a, v[i].args, &at, args, DTX_MAX_ARGS);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct arena *a = arena_new();
	struct dtx_env env;
	char path[64];
	int fd = memfd_create("object", MFD_CLOEXEC);

	env_open(&env);
	if (write(fd, data, size) == (ssize_t)size) {
		struct elfsyms *e = symbols_read(fd, path);

		notes(&env, a, path, e);
		elfsyms_close(e);
	}
	env_close(&env);
	close(fd);
	arena_free(a);
	return 0;
}
