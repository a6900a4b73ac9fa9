/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keytab.c - keys of fixed size to values of fixed size: open addressing over slots
 * that hold index + 1 into two plain arrays in insertion order.
 */
#include <stdlib.h>

#include <dtx/base.h>

struct keytab {
	u32 key_size, val_size;
	u32 n, cap;              /* entries */
	u32 nslots;              /* power of two, at least twice the entries */
	u32 *slots;
	u8 *keys, *vals;
};

struct keytab *keytab_new(u32 key_size, u32 val_size)
{
	struct keytab *t = xcalloc(1, sizeof(*t));

	t->key_size = key_size;
	t->val_size = val_size;
	return t;
}

void keytab_free(struct keytab *t)
{
	if (!t)
		return;
	free(t->slots);
	free(t->keys);
	free(t->vals);
	free(t);
}

const void *keytab_key(const struct keytab *t, u32 i)
{
	return t->keys + (size_t)i * t->key_size;
}

/* Slot of the key, or the free one where it belongs. */
static u32 keytab_slot(const struct keytab *t, const u8 *key)
{
	u32 mask = t->nslots - 1, i = hash_bytes(key, t->key_size) & mask;

	while (t->slots[i] && memcmp(keytab_key(t, t->slots[i] - 1), key, t->key_size))
		i = (i + 1) & mask;
	return i;
}

static void keytab_grow(struct keytab *t)
{
	t->cap = t->cap ? t->cap * 2 : 64;
	t->keys = xrealloc(t->keys, (size_t)t->cap * t->key_size);
	t->vals = xrealloc(t->vals, (size_t)t->cap * t->val_size);
	free(t->slots);
	t->nslots = t->cap * 2;
	t->slots = xcalloc(t->nslots, sizeof(u32));
	for (u32 i = 0; i < t->n; i++)
		t->slots[keytab_slot(t, keytab_key(t, i))] = i + 1;
}

void *keytab_get(const struct keytab *t, const void *key)
{
	if (!t->n)
		return NULL;
	u32 s = t->slots[keytab_slot(t, key)];

	return s ? keytab_val(t, s - 1) : NULL;
}

u32 keytab_index(struct keytab *t, const void *key)
{
	if (t->n == t->cap)
		keytab_grow(t);
	u32 slot = keytab_slot(t, key);

	if (!t->slots[slot]) {
		memcpy(t->keys + (size_t)t->n * t->key_size, key, t->key_size);
		memset(t->vals + (size_t)t->n * t->val_size, 0, t->val_size);
		t->slots[slot] = ++t->n;
	}
	return t->slots[slot] - 1;
}

void *keytab_put(struct keytab *t, const void *key)
{
	u32 i = keytab_index(t, key);

	return keytab_val(t, i);
}

size_t keytab_bytes(const struct keytab *t)
{
	return (size_t)t->n * (t->key_size + t->val_size) + (size_t)t->nslots * sizeof(*t->slots);
}

u32 keytab_count(const struct keytab *t)
{
	return t->n;
}

void *keytab_val(const struct keytab *t, u32 i)
{
	return t->vals + (size_t)i * t->val_size;
}
