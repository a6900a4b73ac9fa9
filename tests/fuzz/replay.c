/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c - libFuzzer harness of the reader of recordings (--replay).
 *
 * An input that begins with the magic of a file is a file; any other one is the text of a block
 * and is packed into one.  The first byte of its manifest's length chooses the format shown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include <dtx/opt.h>

#include "runtime/code/symtabs.h"
#include "runtime/fleet/fleet.h"
#include "runtime/run/run.h"
#include "runtime/sink/record.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void pack(const u8 *data, size_t size, struct buf *to)
{
	size_t room = ZSTD_compressBound(size), n;
	u32 head[2] = { 0, (u32)size };
	char *packed = xmalloc(room);

	n = ZSTD_compress(packed, room, data, size, 1);
	head[0] = (u32)n;
	buf_add(to, REC_MAGIC_OLD, sizeof(REC_MAGIC_OLD) - 1);
	buf_add(to, head, sizeof(head));
	buf_add(to, packed, n);
	free(packed);
}

static void replay(const struct buf *file, const char *format)
{
	struct dtx_env env = { .arena = arena_new() };
	char *text = NULL;
	size_t len;
	FILE *in = fmemopen(file->data, file->len, "r"), *out = open_memstream(&text, &len);

	diags_init(&env.diags, env.arena);
	env.opts = options_new(env.arena);
	options_set(env.opts, env.arena, "format", format, &(const char *){ NULL });
	if (in && fleet_stream(&env, in, "input", out) && !diags_take(&env.diags, NULL))
		__builtin_trap();                /* refused without a reason */
	if (in)
		fclose(in);
	fclose(out);
	free(text);
	symtabs_free(&env);
	diags_close(&env.diags);
	arena_free(env.arena);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const formats[] = { "text", "json" };
	bool whole = size > sizeof(REC_MAGIC) && !memcmp(data, REC_MAGIC, 6);
	struct buf file = { 0 };

	if (whole)
		buf_add(&file, data, size);
	else
		pack(data, size, &file);
	for (u32 i = 0; i < ARRAY_SIZE(formats); i++)
		replay(&file, formats[i]);
	buf_free(&file);
	return 0;
}
