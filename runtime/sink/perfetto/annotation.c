/* SPDX-License-Identifier: BSD-2-Clause */
/* annotation.c - values of a record as annotations of an event. */
#include "runtime/sink/perfetto/perfetto.h"

#define VALUES_MAX   64          /* of a record */

/* A value, and where it goes. */
struct shown {
	struct out *o;
	Perfetto__DebugAnnotation *to;
};

static void shown_int(void *arg, const struct val *v)
{
	Perfetto__DebugAnnotation *a = ((struct shown *)arg)->to;

	a->has_pointer_value = v->is_ptr;
	a->has_int_value = !v->is_ptr && v->is_signed;
	a->has_uint_value = !v->is_ptr && !v->is_signed;
	a->pointer_value = a->uint_value = v->u;
	a->int_value = (s64)v->u;
}

/* Tools that print the file on a terminal, too, find no text in it that acts there. */
char *plain_text(struct perfetto *p, const char *text, size_t len)
{
	struct buf b = { 0 };
	char *copy;

	buf_add(&b, "", 0);
	buf_plain(&b, text, strnlen(text, len), 0);
	copy = arena_strndup(p->arena, b.data, b.len);
	buf_free(&b);
	return copy;
}

static void shown_text(void *arg, const struct val *v)
{
	struct shown *s = arg;

	s->to->string_value = plain_text(s->o->priv, v->null ? "<null>" : v->p,
					  v->null ? 6 : v->len);
}

/* A number with a fraction, else what is there, as in JSON. */
static void shown_bytes(void *arg, const struct val *v)
{
	struct shown *s = arg;
	Perfetto__DebugAnnotation *a = s->to;
	bool real = v->field && v->field->is_float;
	struct buf b = { 0 };
	float f;

	a->has_double_value = real && (v->len == sizeof(f) || v->len == sizeof(double));
	if (a->has_double_value && v->len == sizeof(f))
		a->double_value = *(float *)memcpy(&f, v->p, sizeof(f));
	else if (a->has_double_value)
		memcpy(&a->double_value, v->p, sizeof(double));
	if (a->has_double_value)
		return;
	buf_add(&b, "", 0);
	for (u32 i = 0; i < v->len; i++)
		buf_printf(&b, "%02x", (u8)v->p[i]);
	a->string_value = arena_strndup(((struct perfetto *)s->o->priv)->arena, b.data, b.len);
	buf_free(&b);
}

static void shown_stack(void *arg, const struct val *v)
{
	struct shown *s = arg;
	struct perfetto *p = s->o->priv;
	struct buf b = { 0 };
	u32 n = 0;
	const struct frame *f = sym_frames(s->o->env, p->arena, v, &n);

	buf_add(&b, "", 0);
	for (u32 i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? "\n" : "", plain_text(p, f[i].text, strlen(f[i].text)));
	s->to->string_value = arena_strndup(p->arena, b.data, b.len);
	buf_free(&b);
}

static void shown_symbol(void *arg, const struct val *v)
{
	struct shown *s = arg;
	struct buf b = { 0 };

	buf_add(&b, "", 0);
	sym_val(s->o->env, v, &b);
	s->to->string_value = plain_text(s->o->priv, b.data, b.len);
	buf_free(&b);
}

static const struct val_visitor shown = { shown_int, shown_text, shown_bytes, shown_stack,
					  shown_symbol };

void annotate(struct out *o, Perfetto__DebugAnnotation *to, const struct val *v)
{
	val_visit(v, &shown, &(struct shown){ o, to });
}

static void event_add(struct out *o, Perfetto__TrackEvent *e, const char *name,
		      const struct val *v)
{
	struct perfetto *p = o->priv;
	Perfetto__DebugAnnotation *a;

	if (e->n_debug_annotations == VALUES_MAX)
		return;
	a = ARENA_NEW(p->arena, Perfetto__DebugAnnotation);
	perfetto__debug_annotation__init(a);
	a->name = (char *)name;
	if (v)
		annotate(o, a, v);
	e->debug_annotations[e->n_debug_annotations++] = a;
}

void event_values(struct out *o, const struct event *ev, Perfetto__TrackEvent *e)
{
	struct perfetto *p = o->priv;

	e->debug_annotations = ARENA_ARRAY(p->arena, Perfetto__DebugAnnotation *, VALUES_MAX);
	for (u32 i = 0; i < ev->nitems; i++) {
		const struct item *it = &ev->items[i];

		for (u32 k = 0; it->kind != ITEM_NONE && k < it->act->nfields; k++) {
			const char *name = it->act->fields[k].name;

			event_add(o, e, name ? name : it->act->name, &it->vals[k]);
		}
		if (it->kind != ITEM_TEXT)
			continue;
		event_add(o, e, "text", &(struct val){ .kind = VAL_STR, .p = it->text,
						       .len = it->len });
	}
}
