/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metricform.c - which form of the metrics a client gets: content negotiation (RFC 9110, 12.5.1).
 *
 * A form's weight is what the client gives it (q) times how much the form can say.  OpenMetrics
 * has no count of a histogram whose sum is not known, so Prometheus, which rates it twice as high
 * as its own text, gets the text.  Who accepts none of them gets the text, too.
 */
#include <ctype.h>

#include "runtime/sink/metrics/metrics.h"

#define ALL  1000                /* q=1 */

const struct metric_format metric_formats[METRIC_FORMS] = {
	[METRIC_TEXT] = { "text/plain; version=0.0.4; charset=utf-8", ALL, &metric_text },
	[METRIC_OPEN] = { "application/openmetrics-text; version=1.0.0; charset=utf-8", 400,
			  &metric_open },
	[METRIC_PROTO] = { "application/vnd.google.protobuf; "
			   "proto=io.prometheus.client.MetricFamily; encoding=delimited", ALL,
			   &metric_proto },
};

/* A part of the header, without the blanks around it. */
struct piece {
	const char *p;
	size_t len;
};

/* What is before the next `end`; *at is put behind it, or NULL. */
static struct piece piece_next(const char **at, const char *to, char end)
{
	const char *p = *at, *stop = memchr(p, end, to - p);
	struct piece out = { p, (stop ? stop : to) - p };

	*at = stop ? stop + 1 : NULL;
	for (; out.len && isspace((u8)*out.p); out.len--)
		out.p++;
	while (out.len && isspace((u8)out.p[out.len - 1]))
		out.len--;
	return out;
}

static bool piece_is(struct piece a, const char *text, size_t len)
{
	return a.len == len && !strncasecmp(a.p, text, len);
}

/* Thousandths: "1", "0.75"; what is none counts as 0. */
static u32 weight(struct piece v)
{
	u32 n = 0, unit = ALL;

	for (size_t i = 0; i < v.len && unit; i++) {
		if (i == 1 && v.p[i] == '.')
			continue;
		if (!isdigit((u8)v.p[i]))
			return 0;
		n += unit * (v.p[i] - '0');
		unit = i ? unit / 10 : 100;
	}
	return MIN(n, (u32)ALL);
}

/* Has the form another value of this parameter?  Parameters that it has not do not matter. */
static bool differs(const char *type, struct piece name, struct piece value)
{
	const char *at = strchr(type, ';') + 1, *to = type + strlen(type);

	while (at) {
		struct piece all = piece_next(&at, to, ';');
		const char *in = all.p;
		struct piece own = piece_next(&in, all.p + all.len, '=');

		if (piece_is(own, name.p, name.len))
			return !piece_is(piece_next(&in, all.p + all.len, ';'), value.p,
					 value.len);
	}
	return false;
}

/* How well the media range names the type: 0 not, 1 all types, 2 the first word, 3 both. */
static u32 names(struct piece range, const char *type)
{
	size_t len = strcspn(type, ";"), first = strcspn(type, "/") + 1;

	if (piece_is(range, type, len))
		return 3;
	if (range.len == first + 1 && range.p[first] == '*' && !strncasecmp(range.p, type, first))
		return 2;
	return piece_is(range, "*/*", 3);
}

/* One element of the header: how well it names the form, and *q. */
static u32 accepts(struct piece element, const char *type, u32 *q)
{
	const char *at = element.p, *to = element.p + element.len;
	u32 how = names(piece_next(&at, to, ';'), type);

	*q = ALL;
	while (how && at) {
		struct piece all = piece_next(&at, to, ';');
		const char *in = all.p;
		struct piece name = piece_next(&in, all.p + all.len, '=');
		struct piece value = { "", 0 };

		if (in)
			value = piece_next(&in, all.p + all.len, ';');
		if (piece_is(name, "q", 1))
			*q = weight(value);
		else if (differs(type, name, value))
			return 0;
	}
	return how;
}

enum metric_form metric_form(const char *accept)
{
	enum metric_form best = METRIC_TEXT;
	u32 most = 0;

	for (u32 i = 0; accept && i < METRIC_FORMS; i++) {
		const char *at = accept, *to = accept + strlen(accept);
		u32 how = 0, q = 0;

		while (at) {             /* the best name counts, of equal ones the largest q */
			u32 its, named = accepts(piece_next(&at, to, ','), metric_formats[i].type,
						 &its);

			if (named > how || (named && named == how && its > q)) {
				how = named;
				q = its;
			}
		}
		if (q * metric_formats[i].quality > most) {
			most = q * metric_formats[i].quality;
			best = i;
		}
	}
	return best;
}
