/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * params.h - options that a script declares: #pragma D param NAME[,LETTER] TYPE [DEFAULT] "TEXT"
 * (base/tables/params.c).
 */
#ifndef DTX_PARAMS_H
#define DTX_PARAMS_H

#include <dtx-run.h>

#include "base.h"

#define PARAM_WORDS  4           /* most words of a declaration, after "param" */
#define PARAM_FORM   "write '#pragma D param NAME[,LETTER] TYPE [DEFAULT] \"TEXT\"'"

/*
 * Reads the words after "param"; texts in quotes are one word, with the quotes.  NULL, or a
 * sentence (in the arena) that says what is wrong; *out is then incomplete.  PARAM_FORM: the
 * number of words is wrong.
 */
const char *param_parse(struct arena *, const char *const *words, u32 n, struct dtx_param *out);

/* The number that a value means: nanoseconds, bytes, 0 or 1.  false: not a value of the type.
 * Strings are always values, their number is 0. */
bool param_number(const struct dtx_param *, const char *value, s64 *n);
/* What the type takes, for messages: "a whole number, as in 10". */
const char *param_takes(const struct dtx_param *);
/* The value as it stands in a probe description: a time has its unit. */
const char *param_text(struct arena *, const struct dtx_param *, const char *value);

#endif
