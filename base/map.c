/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * map.c - string to pointer.
 *
 *   slots[]  hash -> number of the entry + 1, open addressing, at most 3/4 full
 *   ents[]   key, hash, value, in insertion order
 */
#include <stdlib.h>

#include <dtx/base.h>

struct map_ent {
	const char *key;
	void *value;
	u32 hash;
};

struct map {
	struct arena *keys;      /* NULL: they are the caller's */
	VEC(struct map_ent) ents;
	u32 *slots;
	u32 nslots;              /* power of two, 0 before the first entry */
};

struct map *map_new_of_kept(void)
{
	return xcalloc(1, sizeof(struct map));
}

struct map *map_new(void)
{
	struct map *m = map_new_of_kept();

	m->keys = arena_new();
	return m;
}

void map_free(struct map *m)
{
	if (!m)
		return;
	arena_free(m->keys);
	VEC_FREE(&m->ents);
	free(m->slots);
	free(m);
}

/* Slot of the key, or the free slot where it belongs. */
static u32 map_slot(const struct map *m, const char *key, u32 hash)
{
	u32 i = hash & (m->nslots - 1);

	for (; m->slots[i]; i = (i + 1) & (m->nslots - 1)) {
		const struct map_ent *e = &m->ents.v[m->slots[i] - 1];

		if (e->hash == hash && !strcmp(e->key, key))
			break;
	}
	return i;
}

static void map_grow(struct map *m)
{
	m->nslots = m->nslots ? m->nslots * 2 : 16;
	free(m->slots);
	m->slots = xcalloc(m->nslots, sizeof(*m->slots));
	for (u32 n = 0; n < m->ents.n; n++)
		m->slots[map_slot(m, m->ents.v[n].key, m->ents.v[n].hash)] = n + 1;
}

void *map_get(const struct map *m, const char *key)
{
	u32 i;

	if (!m->nslots)
		return NULL;
	i = map_slot(m, key, hash_bytes(key, strlen(key)));
	return m->slots[i] ? m->ents.v[m->slots[i] - 1].value : NULL;
}

/* The entry of the key; it is new if its value is NULL. */
static struct map_ent *map_entry(struct map *m, const char *key)
{
	struct map_ent e = { .hash = hash_bytes(key, strlen(key)) };
	u32 i;

	if ((m->ents.n + 1) * 4 > m->nslots * 3)
		map_grow(m);
	i = map_slot(m, key, e.hash);
	if (!m->slots[i]) {
		e.key = m->keys ? arena_strdup(m->keys, key) : key;
		VEC_PUSH(&m->ents, e);
		m->slots[i] = m->ents.n;
	}
	return &m->ents.v[m->slots[i] - 1];
}

void map_set(struct map *m, const char *key, void *value)
{
	map_entry(m, key)->value = value;
}

void *map_add(struct map *m, const char *key, void *value)
{
	struct map_ent *e = map_entry(m, key);
	void *old = e->value;

	if (!old)
		e->value = value;
	return old;
}

size_t map_count(const struct map *m)
{
	return m->ents.n;
}

int map_each(const struct map *m, int (*fn)(const char *key, void *value, void *arg), void *arg)
{
	int err = 0;

	for (u32 i = 0; i < m->ents.n && !err; i++)
		err = fn(m->ents.v[i].key, m->ents.v[i].value, arg);
	return err;
}
