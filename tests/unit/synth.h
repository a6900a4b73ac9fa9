/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * synth.h - a session without a kernel: an image made by hand, records made by hand,
 * the output in memory.
 */
#ifndef SYNTH_H
#define SYNTH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <dtx/optrow.h>

#include "runtime/code/symtabs.h"
#include "runtime/run/run.h"

struct synth {
	struct dtx_env env;
	struct img img;
	struct attach at;
	struct loaded ld;
	struct consumer *con;
	FILE *file;
	char *text;
	size_t len;
};

static inline void synth_open(struct synth *w)
{
	memset(w, 0, sizeof(*w));
	w->env.diags.tool = "dtx";
	w->env.arena = arena_new();
	w->env.opts = options_new(w->env.arena);
	w->img.arena = w->env.arena;
	w->at = (struct attach){ .env = &w->env, .img = &w->img, .arena = w->env.arena };
	w->ld = (struct loaded){
		.env = &w->env, .img = &w->img, .arena = w->env.arena, .at = &w->at
	};
	w->file = open_memstream(&w->text, &w->len);
}

static inline struct consumer *synth_start(struct synth *w)
{
	w->con = consumer_new(&w->ld, &w->at, w->file);
	return w->con;
}

static inline void synth_expect(struct synth *w, const char *want)
{
	consumer_flush(w->con);
	assert_string_equal(w->text, want);
	rewind(w->file);
	memset(w->text, 0, w->len);
}

static inline void synth_close(struct synth *w)
{
	consumer_free(w->con);
	fclose(w->file);
	free(w->text);
	symtabs_free(&w->env);
	arena_free(w->env.arena);
}

#endif
