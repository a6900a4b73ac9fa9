/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recstate.c - samples of a recording: of each aggregation the rows that have changed since the
 * last sample, as they are now.  A row gets a number when it comes first, and its key is
 * written then. When rows may have gone (clear(), trunc()), all come again.
 */
#include <stdlib.h>

#include "runtime/sink/record.h"

struct recstate {
	struct keytab *rows;     /* bytes of the key -> the words that were written */
	u32 changes, resets;     /* of the aggregation, as they were */
	u32 words;
};

struct recstate *recstate_new(void)
{
	return xcalloc(1, sizeof(struct recstate));
}

void recstate_free(struct recstate *s)
{
	if (s)
		keytab_free(s->rows);
	free(s);
}

u32 recstate_begin(struct recstate *s, const struct agg_print *p, u32 key_bytes, bool *all)
{
	u32 resets, changes = agg_print_changes(p, &resets);

	*all = !s->rows || changes != s->changes || resets != s->resets;
	if (*all) {
		keytab_free(s->rows);
		s->words = agg_data_words(p->aggs[0]);
		s->rows = keytab_new(key_bytes, s->words * sizeof(u64));
	}
	s->changes = changes;
	s->resets = resets;
	return resets;
}

bool recstate_row(struct recstate *s, const u8 *key, const u64 *words, u32 *number, bool *first)
{
	u32 n = keytab_count(s->rows);
	u64 *had;

	*number = keytab_index(s->rows, key);
	*first = *number == n;
	had = keytab_val(s->rows, *number);
	if (!*first && !memcmp(had, words, s->words * sizeof(u64)))
		return false;
	memcpy(had, words, s->words * sizeof(u64));
	return true;
}
