/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servecheck.c - requests that no honest client sends: two of a header that may be there once, as
 * a proxy and this server could read them differently; names and values with bytes that end a line
 * or a text for one of the two; a body.  RFC 9110 and 9112.
 */
#include <ctype.h>

#include "runtime/sink/serve/serve.h"

/* Headers that may be there once, and what is said if there are two, or if there is one. */
static const struct {
	const char *name, *two;
	const char *one;                 /* NULL: it may be there; else unless it is `but` */
	const char *but;
} singles[] = {
	{ "Host", "the request has two Host headers\n" },
	{ "Origin", "the request has two Origin headers\n" },
	{ "Authorization", "the request has two Authorization headers\n" },
	{ "Cookie", "the request has two Cookie headers\n" },
	{ "Content-Length", "the request has two Content-Length headers\n",
	  "this server takes no body\n", "0" },
	{ "Transfer-Encoding", "the request has two Transfer-Encoding headers\n",
	  "this server takes no body\n", "" },
};

/* A token of RFC 9110: no blank, no control byte, none of the separators. */
static bool name_ok(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((u8)name[i]) && (!name[i] || !strchr("!#$%&'*+-.^_`|~", name[i])))
			return false;
	return len;
}

/* No control byte but the tab. */
static bool value_ok(const struct serve_pair *p)
{
	for (size_t i = 0; i < p->value_len; i++)
		if (iscntrl((u8)p->value[i]) && p->value[i] != '\t')
			return false;
	return true;
}

static bool value_is(const struct serve_pair *p, const char *text)
{
	return p->value_len == strlen(text) && !memcmp(p->value, text, p->value_len);
}

static const char *single_fault(struct serve_checked *c, const struct serve_pair *p)
{
	for (u32 i = 0; i < ARRAY_SIZE(singles); i++) {
		u32 bit = 1u << i;

		if (p->name_len != strlen(singles[i].name) ||
		    strncasecmp(p->name, singles[i].name, p->name_len))
			continue;
		if (c->seen & bit)
			return singles[i].two;
		c->seen |= bit;
		return singles[i].one && !value_is(p, singles[i].but) ? singles[i].one : NULL;
	}
	return NULL;
}

void serve_check(struct serve_checked *c, bool header, const struct serve_pair *p)
{
	if (c->fault)
		return;
	if (!header) {
		if (p->value && memchr(p->value, '\0', p->value_len))
			c->fault = "the link has a NUL byte\n";
	} else if (!name_ok(p->name, p->name_len)) {
		c->fault = "the name of a header has a blank, or a byte that names do not have\n";
	} else if (p->value && !value_ok(p)) {
		c->fault = "the value of a header has a control byte\n";
	} else {
		c->fault = single_fault(c, p);
	}
}
