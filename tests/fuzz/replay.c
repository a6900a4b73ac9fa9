/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c - libFuzzer harness of the reader of recordings (--replay).
 *
 * An input that begins with the magic of a file is a file; any other one is the text of a block
 * and is packed into one.  The first byte of its manifest's length chooses the format shown.
 */
#include <stdio.h>

#include "runtime/fleet/fleet.h"
#include "runtime/sink/record.h"
#include "tests/fuzz/block.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void replay(const struct buf *file, const char *format)
{
	struct dtx_env env = { 0 };
	char *text = NULL;
	size_t len;
	FILE *in = fmemopen(file->data, file->len, "r"), *out = open_memstream(&text, &len);

	block_env(&env, format);
	if (in && fleet_stream(&env, in, "input", out) && !diags_take(&env.diags, NULL))
		__builtin_trap();                /* refused without a reason */
	if (in)
		fclose(in);
	fclose(out);
	free(text);
	block_env_free(&env);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const formats[] = { "text", "json" };
	bool whole = size > sizeof(REC_MAGIC) && !memcmp(data, REC_MAGIC, 6);
	struct buf file = { 0 };

	if (whole) {
		buf_add(&file, data, size);
	} else {
		buf_add(&file, REC_MAGIC_OLD, sizeof(REC_MAGIC_OLD) - 1);
		block_pack(data, size, &file);
	}
	for (u32 i = 0; i < ARRAY_SIZE(formats); i++)
		replay(&file, formats[i]);
	buf_free(&file);
	return 0;
}
