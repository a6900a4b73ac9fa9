/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.h - what readers of recordings are given: the text of a block, packed; and a run for them.
 */
#ifndef BLOCK_H
#define BLOCK_H

#include <stdlib.h>
#include <zstd.h>

#include <dtx/opt.h>

#include "runtime/code/symtabs.h"
#include "runtime/run/run.h"

static void block_pack(const u8 *text, size_t size, struct buf *to)
{
	size_t room = ZSTD_compressBound(size), n;
	u32 head[2] = { 0, (u32)size };
	char *packed = xmalloc(room);

	n = ZSTD_compress(packed, room, text, size, 1);
	head[0] = (u32)n;
	buf_add(to, head, sizeof(head));
	buf_add(to, packed, n);
	free(packed);
}

/* env: all zero. */
static void block_env(struct dtx_env *env, const char *format)
{
	env->arena = arena_new();
	diags_init(&env->diags, env->arena);
	env->opts = options_new(env->arena);
	options_set(env->opts, env->arena, "format", format, &(const char *){ NULL });
}

static void block_env_free(struct dtx_env *env)
{
	symtabs_free(env);
	diags_close(&env->diags);
	arena_free(env->arena);
}

#endif
