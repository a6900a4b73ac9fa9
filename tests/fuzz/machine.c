/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.c - libFuzzer harness of the description of a machine (-x machine=FILE), which a host of
 * --hosts sends: the archive, its answers and programs, and what is made of its files of the
 * kernel (symbols, events and their formats).
 *
 * An input is members: a path to the end of a line, the length of the data in two bytes, the data.
 * One that begins with a NUL byte is the archive itself, after that byte.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <dtx/opt.h>
#include <dtx/provider.h>

#include "runtime/code/names.h"
#include "runtime/kernel/kernel.h"
#include "runtime/machine/archive.h"
#include "runtime/types/types.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void members(const u8 *data, size_t size, struct buf *tar)
{
	const u8 *end = data + size, *line;

	for (; (line = memchr(data, '\n', (size_t)(end - data))) && end - line > 3; data = line) {
		char *path = strndup((const char *)data, (size_t)(line - data));
		size_t len = MIN((size_t)(line[1] | line[2] << 8), (size_t)(end - line - 3));

		line += 3 + len;
		if (*path)
			archive_add(tar, path, line - len, len);
		free(path);
	}
	for (u32 i = 0; i < 1024; i++)
		buf_putc(tar, '\0');
}

static int description(const struct buf *tar)
{
	int fd = memfd_create("machine", MFD_CLOEXEC);
	size_t room = ZSTD_compressBound(tar->len), n;
	char *packed = xmalloc(room);

	n = ZSTD_compress(packed, room, tar->data, tar->len, 1);
	if (write(fd, packed, n) != (ssize_t)n)
		abort();
	free(packed);
	return fd;
}

static int each_name(void *arg, const char *name)
{
	return !*name || strchr(name, '/') ? -1 : 0;
}

struct asking {
	struct dtx_env *env;
	u32 left;
};

static int each_probe(void *arg, struct dtx_probe *p)
{
	struct asking *a = arg;

	provider_args(a->env, p, ARGS_TYPED);
	return a->left-- ? 0 : 1;
}

static void ask(struct dtx_env *env)
{
	static const char *const listed[] = { "tracepoint", "rawtp" };
	struct machine *m = env->machine;
	struct asking asking = { env, 1000 };
	char *text;

	for (size_t i = 0; i < m->members.n && i < 64; i++) {
		const char *path = m->members.v[i].path;
		char real[PATH_MAX];

		if (!machine_read(env, path, &text, NULL))
			free(text);
		machine_number(env, path, 0);
		machine_access(env, path, F_OK);
		machine_each(env, path, each_name, NULL);
		if (file_view_has(path))
			file_view_real(path, real);
	}
	machine_each(env, "/sys/kernel/tracing/events", each_name, NULL);
	machine_answer(env, "path");
	env_ksym(env, NULL, "schedule");
	for (u32 i = 0; i < ARRAY_SIZE(listed); i++) {
		struct dtx_pattern pat = { listed[i], "*", "*", "*", .many = true };

		provider_list(env, &pat, each_probe, &asking);
	}
	machine_tell(env);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct dtx_env env;
	struct buf tar = { 0 };
	char path[40];
	int fd;

	if (size && !*data)
		buf_add(&tar, data + 1, size - 1);
	else
		members(data, size, &tar);
	buf_add(&tar, "", 0);
	fd = description(&tar);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	env_open(&env);
	if (!machine_open(&env, path, false))
		ask(&env);
	else if (!diags_take(&env.diags, NULL))
		__builtin_trap();                /* refused without a reason */
	machine_close(&env);
	env_close(&env);
	close(fd);
	buf_free(&tar);
	return 0;
}
