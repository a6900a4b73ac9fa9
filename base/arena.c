/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.c - memory with one lifetime, and the malloc family that cannot fail.
 *
 *   arena -> chunk (current) -> chunk (full) -> ...
 *            [header | used ..... | free]
 *
 * Chunks grow from 4 KiB to 256 KiB: a small arena stays small.  An object
 * larger than a quarter of the next chunk gets its own chunk, after the current
 * one.  With AddressSanitizer every object does, and so its end is checked.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dtx/base.h>
#include <dtx-message.h>

#define CHUNK_MIN   4096u
#define CHUNK_MAX   (256u << 10)
#define ARENA_ALIGN 16u
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#define ARENA_APART (__has_feature(address_sanitizer))

struct chunk {
	struct chunk *next;
	size_t used, cap;        /* bytes of data[] */
	_Alignas(ARENA_ALIGN) char data[];
};

struct arena {
	struct chunk *head;
	size_t next_cap;         /* capacity of the next chunk */
	size_t total;            /* bytes handed out */
	struct arena *within, *next;     /* arenas freed with this one; the next of them */
};

/* One for the process: an allocation does not know its handle, and LLVM's handler is global
 * too. */
static void (*without_memory)(size_t);

void dtx_on_out_of_memory(void (*fn)(size_t))
{
	without_memory = fn;
}

void out_of_memory(size_t size)
{
	if (without_memory)
		without_memory(size);
	abort();
}

void *arena_room(struct arena *a, void *v, u32 n, size_t size)
{
	void *bigger;

	if (n == 1 || n & (n - 1))               /* the array is full at 0, 2, 4, 8 … items */
		return v;
	bigger = arena_alloc(a, n ? 2 * n * size : 2 * size);
	return n ? memcpy(bigger, v, n * size) : bigger;
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory(size);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory(n * size);
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		out_of_memory(size);
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

char *xprintf(const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory(strlen(fmt));
	va_end(ap);
	return s;
}

struct arena *arena_new(void)
{
	struct arena *a = xcalloc(1, sizeof(*a));

	a->next_cap = CHUNK_MIN - sizeof(struct chunk);
	return a;
}

struct arena *arena_within(struct arena *outer)
{
	struct arena *a = arena_new();

	a->next = outer->within;
	outer->within = a;
	return a;
}

static void arena_drop(struct arena *a)
{
	struct chunk *c, *next;

	for (c = a->head; c; c = next) {
		next = c->next;
		free(c);
	}
	for (struct arena *w = a->within, *after; w; w = after) {
		after = w->next;
		arena_free(w);
	}
	*a = (struct arena){ .next_cap = CHUNK_MIN - sizeof(struct chunk), .next = a->next };
}

/* What is small is often cleared: it keeps its chunk. */
void arena_clear(struct arena *a)
{
	struct chunk *c = a->head;

	if (c && !c->next && !a->within && c->cap < CHUNK_MIN && !ARENA_APART) {
		memset(c->data, 0, c->used);
		c->used = a->total = 0;
	} else {
		arena_drop(a);
	}
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	arena_drop(a);
	free(a);
}

static struct chunk *chunk_new(size_t cap)
{
	struct chunk *c = xcalloc(1, sizeof(*c) + cap);

	c->cap = cap;
	return c;
}

static struct chunk *arena_grow(struct arena *a, size_t size)
{
	struct chunk *c;

	if (a->head && (size > a->next_cap / 4 || ARENA_APART)) {
		c = chunk_new(size);
		c->next = a->head->next;
		a->head->next = c;
		return c;
	}
	c = chunk_new(MAX(a->next_cap, size));
	c->next = a->head;
	a->head = c;
	if (a->next_cap < CHUNK_MAX)
		a->next_cap *= 2;
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct chunk *c = a->head;
	void *p;

	if (size > PTRDIFF_MAX)
		out_of_memory(size);
	if (!ARENA_APART)
		size = ALIGN_UP(size, ARENA_ALIGN);
	if (!c || c->cap - c->used < size || ARENA_APART)
		c = arena_grow(a, size);
	p = c->data + c->used;
	c->used += size;
	a->total += size;
	return p;
}

void *arena_memdup(struct arena *a, const void *data, size_t size)
{
	void *p = arena_alloc(a, size);

	if (size)
		memcpy(p, data, size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t max)
{
	size_t n = strnlen(s, max);
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_memdup(a, s, strlen(s) + 1);
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	char text[256], *p;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(text, sizeof(text), fmt, again);
	va_end(again);
	if (n < (int)sizeof(text))
		return arena_strndup(a, text, MAX(n, 0));
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}

size_t arena_size(const struct arena *a)
{
	return a->total;
}
