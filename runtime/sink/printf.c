/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * printf.c - run a checked format over values (DTrace guide "Output Formatting").
 *
 * The compiler has split the format into pieces (struct img_conv) and checked each
 * against convs.def.  Here each conversion letter has one printer.  Size letters matter
 * only for characters and floats; the width of an integer is known.
 */
#include <inttypes.h>
#include <langinfo.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <arpa/inet.h>

#include "runtime/sink/sink.h"

#define ADDR_WIDTH  16           /* flag ?: a 64-bit address in hexadecimal */
#define NSEC        1000000000ll
#define NUMBER_MOST 64           /* characters of an integer, without padding */

/* One conversion being printed. */
struct conv {
	struct dtx_env *env;
	const struct img_conv *c;
	struct buf *out;
	enum quoting quoting;
	const struct shell *shell;       /* with QUOTE_SHELL: where in the command */
	bool *foreign;                   /* with QUOTE_PATH: set by a text that leads elsewhere */
	int width, prec;         /* after * was taken; -1: none */
	bool left, zero, plus, space, alt, group;
};

typedef void printer(const struct conv *, const struct val *);

/* ---- text ------------------------------------------------------------------------ */

static void conv_add(const struct conv *v, const char *text, size_t len)
{
	int pad = v->width > 0 && (size_t)v->width > len ? v->width - (int)len : 0;

	if (!v->left)
		buf_pad(v->out, ' ', pad);
	buf_add(v->out, text, len);
	if (v->left)
		buf_pad(v->out, ' ', pad);
}

/* A text that stays where it stands in a path. */
static bool conv_is_name(const char *text, size_t len)
{
	return !memchr(text, '/', len) && !(len == 1 && text[0] == '.') &&
	       !(len == 2 && !memcmp(text, "..", 2));
}

/* Every text of a value passes here. */
static void conv_pad(const struct conv *v, const char *text, size_t len)
{
	struct buf b = { 0 };

	if (v->quoting == QUOTE_PATH && !conv_is_name(text, len))
		*v->foreign = true;
	if (v->quoting == QUOTE_NONE || v->quoting == QUOTE_PATH) {
		conv_add(v, text, len);
		return;
	}
	if (v->quoting == QUOTE_SHELL)
		shell_quote(v->shell, text, len, &b);
	else
		buf_plain(&b, text, len, 0);
	conv_add(v, b.data ? b.data : "", b.len);
	buf_free(&b);
}

static void conv_text(const struct conv *v, const char *text, size_t len)
{
	conv_pad(v, text, v->prec > 0 && (size_t)v->prec < len ? (size_t)v->prec : len);
}

/* ---- integers -------------------------------------------------------------------- */

static u64 val_unsigned(const struct val *x)
{
	return x->size && x->size < 8 ? x->u & ((1ull << (x->size * 8)) - 1) : x->u;
}

/* Writes digits into `text`; where they begin, and their number. */
static char *conv_digits(const struct conv *v, u64 n, unsigned base, bool upper,
			 char text[NUMBER_MOST], int *len)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	const char *sep = v->group && base == 10 ? nl_langinfo(THOUSEP) : "";
	char *end = text + NUMBER_MOST, *at = end;
	int count = 0;

	if (base == 10 && !v->group) {
		*len = decimal(n, text) - text;
		return text;
	}
	if (v->group && base == 10 && !*sep)
		sep = ",";
	do {
		if (*sep && count && count % 3 == 0)
			*--at = *sep;
		*--at = digits[n % base];
		n /= base;
		count++;
	} while (n);
	*len = end - at;
	return at;
}

static void conv_number(const struct conv *v, u64 n, const char *sign, unsigned base, bool upper)
{
	char text[NUMBER_MOST], *at;
	const char *prefix = sign;
	int len, zeroes;

	at = conv_digits(v, n, base, upper, text, &len);
	zeroes = v->prec > len ? v->prec - len : 0;

	if (v->alt && base == 16 && n)
		prefix = upper ? "0X" : "0x";
	if (v->alt && base == 8 && n && !zeroes)
		zeroes = 1;
	int all = (int)strlen(prefix) + zeroes + len;

	if (v->zero && !v->left && v->prec <= 0 && v->width > all) {
		zeroes += v->width - all;
		all = v->width;
	}
	if (!v->left)
		buf_pad(v->out, ' ', v->width - all);
	buf_puts(v->out, prefix);
	buf_pad(v->out, '0', zeroes);
	buf_add(v->out, at, len);
	if (v->left)
		buf_pad(v->out, ' ', v->width - all);
}

static void print_decimal(const struct conv *v, const struct val *x)
{
	if (!x->is_signed) {
		conv_number(v, val_unsigned(x), "", 10, false);
		return;
	}
	s64 n = x->u;

	conv_number(v, n < 0 ? -(u64)n : (u64)n,
		    n < 0 ? "-" : v->plus ? "+" : v->space ? " " : "", 10, false);
}

static void print_unsigned(const struct conv *v, const struct val *x)
{
	char c = v->c->conv[0];
	unsigned base = c == 'u' ? 10 : c == 'o' ? 8 : 16;

	conv_number(v, val_unsigned(x), "", base, c == 'X');
}

/* ---- characters and strings ------------------------------------------------------ */

/* C escape of one byte, at most four characters. */
static u32 escape(u8 c, char *out)
{
	static const char from[] = "\a\b\f\n\r\t\v\"\\", to[] = "abfnrtv\"\\";
	const char *hit = c ? strchr(from, c) : NULL;

	if (c >= 0x20 && c < 0x7f && !hit) {
		out[0] = c;
		return 1;
	}
	out[0] = '\\';
	if (hit) {
		out[1] = to[hit - from];
		return 2;
	}
	if (!c) {
		out[1] = '0';
		return 2;
	}
	out[1] = '0' + (c >> 6);
	out[2] = '0' + (c >> 3 & 7);
	out[3] = '0' + (c & 7);
	return 4;
}

static void print_char(const struct conv *v, const struct val *x)
{
	char text[4];
	u32 n = 1;

	if (v->c->size && v->c->size[0])
		n = utf8_put((u32)x->u, text);
	else
		text[0] = (char)x->u;
	conv_pad(v, text, n);
}

static void print_char_escaped(const struct conv *v, const struct val *x)
{
	char text[4];

	conv_pad(v, text, escape((u8)x->u, text));
}

static void print_wide(const struct conv *v, const struct val *x)
{
	struct buf b = { 0 };
	char text[4];
	u32 c;

	for (u32 i = 0; i + 4 <= x->len; i += 4) {
		memcpy(&c, x->p + i, 4);
		if (!c)
			break;
		buf_add(&b, text, utf8_put(c, text));
	}
	conv_text(v, b.data ? b.data : "", b.len);
	buf_free(&b);
}

static void print_named(const struct conv *v, const struct val *x)
{
	struct buf b = { 0 };

	print_names(x->names, val_unsigned(x), &b);
	conv_text(v, b.data ? b.data : "", b.len);
	buf_free(&b);
}

static void print_string(const struct conv *v, const struct val *x)
{
	if (v->c->size && v->c->size[0])
		print_wide(v, x);
	else
		conv_text(v, x->p ? x->p : "", x->p ? strnlen(x->p, x->len) : 0);
}

/* Shows the terminating NUL too, if there is one. */
static void print_string_escaped(const struct conv *v, const struct val *x)
{
	u32 n = x->p ? strnlen(x->p, x->len) : 0;
	bool nul = x->kind == VAL_STR || n < x->len;
	struct buf b = { 0 };
	char text[4];

	for (u32 i = 0; i < n; i++)
		buf_add(&b, text, escape((u8)x->p[i], text));
	if (nul)
		buf_puts(&b, "\\0");
	conv_text(v, b.data ? b.data : "", b.len);
	buf_free(&b);
}

/* buf(): printable bytes as they are; with size x all bytes as \x, with size h in hexadecimal. */
static void print_raw(const struct conv *v, const struct val *x)
{
	char style = v->c->size && v->c->size[0] ? v->c->size[0] : 0;
	u32 n = v->c->prec_arg ? MIN((u32)MAX(v->prec, 0), x->len) : x->len;
	struct buf b = { 0 };

	for (u32 i = 0; i < n; i++) {
		u8 c = (u8)x->p[i];

		if (style == 'h')
			buf_printf(&b, "%s%02x", i ? " " : "", c);
		else if (style || c < 0x20 || c > 0x7e)
			buf_printf(&b, "\\x%02x", c);
		else
			buf_putc(&b, c);
	}
	conv_pad(v, b.data ? b.data : "", b.len);
	buf_free(&b);
}

/* ---- names of hosts and services --------------------------------------------------- */

/* Prints the symbol of the address; an unknown address as a number. */
static void print_host(const struct conv *v, const struct val *x)
{
	const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST };
	struct addrinfo *a = NULL;
	char name[NI_MAXHOST];
	const char *text = x->p ? x->p : "";

	if (*text && !getaddrinfo(text, NULL, &hints, &a) &&
	    !getnameinfo(a->ai_addr, a->ai_addrlen, name, sizeof(name), NULL, 0, NI_NAMEREQD))
		text = name;
	conv_text(v, text, strlen(text));
	if (a)
		freeaddrinfo(a);
}

static void print_service(const struct conv *v, const struct val *x)
{
	const char *text = x->kind == VAL_STR && x->p ? x->p : "";
	u64 port = x->kind == VAL_INT ? val_unsigned(x) : strtoul(text, NULL, 10);
	struct servent *s = port <= UINT16_MAX ? getservbyport(htons((u16)port), NULL) : NULL;

	if (!s && x->kind == VAL_INT) {
		print_decimal(v, x);
		return;
	}
	text = s ? s->s_name : text;
	conv_text(v, text, strlen(text));
}

/* ---- addresses, stacks ----------------------------------------------------------- */

static void print_symbol(const struct conv *v, const struct val *x)
{
	struct buf b = { 0 };

	if (x->kind == VAL_SYM)
		sym_val(v->env, x, &b);
	else if (v->c->conv[0] == 'A')
		sym_uaddr(v->env, v->env->target_pid, x->u, &b);
	else
		sym_kaddr(v->env, x->u, &b);
	conv_pad(v, b.data ? b.data : "", b.len);
	buf_free(&b);
}

/* Width without '-' pads each frame; with it, it is the indentation. */
static void print_stack(const struct conv *v, const struct val *x)
{
	struct buf b = { 0 };

	sym_stack(v->env, x, v->left && v->width > 0 ? v->width : 0, &b);
	if (v->quoting >= QUOTE_SHELL) {         /* its lines are one text */
		conv_pad(v, b.data ? b.data : "", b.len);
		buf_free(&b);
		return;
	}
	if (v->left || v->width <= 0 || !b.len) {
		buf_add(v->out, b.data ? b.data : "", b.len);
		buf_free(&b);
		return;
	}
	for (char *at = b.data, *end = b.data + b.len; at < end;) {
		char *nl = memchr(at, '\n', end - at);
		size_t len = nl ? (size_t)(nl - at) : (size_t)(end - at);

		if (len)
			conv_pad(v, at, len);
		if (nl)
			buf_putc(v->out, '\n');
		at += len + 1;
	}
	buf_free(&b);
}

/* ---- time, floats ---------------------------------------------------------------- */

static void print_time(const struct conv *v, const struct val *x)
{
	const char *format = v->c->conv[0] == 'Y' ? "%Y %b %e %H:%M:%S" :
						   "%a, %d %b %Y %H:%M:%S %Z";
	s64 ns = x->u;
	time_t sec = ns / NSEC - (ns % NSEC < 0);
	struct tm tm;
	char text[64];

	localtime_r(&sec, &tm);
	conv_text(v, text, strftime(text, sizeof(text), format, &tm));
}

static void print_float(const struct conv *v, const struct val *x)
{
	long double n = 0;
	char spec[24];
	struct buf b = { 0 };

	if (x->kind == VAL_BYTES && !real_read(x->p, x->len, &n)) {
		print_raw(v, x);
		return;
	}
	snprintf(spec, sizeof(spec), "%%%s%s%s%s*.*L%c", v->zero ? "0" : "", v->plus ? "+" : "",
		 v->space ? " " : "", v->alt ? "#" : "", v->c->conv[0]);
	buf_printf(&b, spec, v->left || v->width < 0 ? 0 : v->width, v->prec > 0 ? v->prec : -1, n);
	conv_pad(v, b.data, b.len);
	buf_free(&b);
}

/* ---- one conversion -------------------------------------------------------------- */

static printer *const printers[128] = {
	['d'] = print_decimal, ['i'] = print_decimal,
	['u'] = print_unsigned, ['o'] = print_unsigned, ['x'] = print_unsigned,
	['X'] = print_unsigned, ['p'] = print_unsigned,
	['c'] = print_char, ['C'] = print_char_escaped,
	['s'] = print_string, ['S'] = print_string_escaped,
	['r'] = print_raw,
	['I'] = print_host, ['P'] = print_service,
	['a'] = print_symbol, ['A'] = print_symbol,
	['k'] = print_stack,
	['Y'] = print_time, ['T'] = print_time,
	['e'] = print_float, ['E'] = print_float, ['f'] = print_float,
	['g'] = print_float, ['G'] = print_float,
};

/* A value of a kind that the letter cannot print (keys may have any kind): prints it by its
 * kind. */
struct to_print {
	const struct conv *v;
	printer *wanted;                 /* by the letter */
};

static void conv_int(void *arg, const struct val *x)
{
	const struct to_print *to = arg;
	printer *p = to->wanted;

	if (p == print_string && x->names)
		p = print_named;
	else if (!p || p == print_string || p == print_string_escaped || p == print_stack ||
		 p == print_float || p == print_host || p == print_raw)
		p = print_decimal;
	p(to->v, x);
}

static void conv_str(void *arg, const struct val *x)
{
	const struct to_print *to = arg;
	printer *p = to->wanted;

	(p == print_string_escaped || p == print_host || p == print_service || p == print_raw ?
	 p : print_string)(to->v, x);
}

static void conv_bytes(void *arg, const struct val *x)
{
	const struct to_print *to = arg;
	printer *p = to->wanted;

	(p == print_float || p == print_string_escaped || p == print_raw ?
	 p : print_string)(to->v, x);
}

static void conv_stack(void *arg, const struct val *x)
{
	print_stack(((const struct to_print *)arg)->v, x);
}

static void conv_sym(void *arg, const struct val *x)
{
	const struct to_print *to = arg;

	(to->wanted == print_unsigned ? print_unsigned : print_symbol)(to->v, x);
}

static void conv_val(const struct conv *v, const struct val *x)
{
	static const struct val_visitor visitor = {
		conv_int, conv_str, conv_bytes, conv_stack, conv_sym
	};
	u8 letter = (u8)v->c->conv[0];
	struct to_print to = { v, letter < ARRAY_SIZE(printers) ? printers[letter] : NULL };

	val_visit(x, &visitor, &to);
}

static void conv_flags(struct conv *v, const char *flags)
{
	for (; flags && *flags; flags++) {
		switch (*flags) {
		case '-': v->left = true; break;
		case '0': v->zero = true; break;
		case '+': v->plus = true; break;
		case ' ': v->space = true; break;
		case '#': v->alt = true; break;
		case '\'': v->group = true; break;
		case '?': v->width = ADDR_WIDTH; break;
		}
	}
}

/* ---- the format ------------------------------------------------------------------ */

/* Values still to be printed. */
struct feed {
	const struct val *vals;
	u32 nvals, next;
	const struct agg_print *print;
	const struct agg_row *row;       /* one per aggregation */
	u32 agg;                 /* next aggregation for '@' */
};

static const struct val *feed_next(struct feed *f)
{
	static const struct val none = { .kind = VAL_STR, .p = "", .null = true };

	return f->next < f->nvals ? &f->vals[f->next++] : &none;
}

/* The value of an aggregation; successive ones take successive aggregations.  A sum of more than 64
 * bits is decimal, whatever the conversion. */
static void conv_agg(const struct conv *v, struct feed *f)
{
	u32 i = MIN(f->agg, f->print->naggs - 1);
	struct agg_value value = agg_value(f->print, f->row, i, NULL);
	struct val x = { .kind = VAL_INT, .size = 8, .is_signed = !value.is_unsigned,
			 .u = (u64)value.number };
	struct buf wide = { 0 };

	f->agg++;
	if (value.kind == AGG_HISTOGRAM) {
		agg_text(v->env, f->print, f->row, i, AGG_ALL_CPUS, v->out);
		return;
	}
	if (agg_s64(value.number) != value.number && !value.is_unsigned) {
		buf_wide(&wide, value.number);
		conv_pad(v, wide.data, wide.len);
		buf_free(&wide);
		return;
	}
	conv_val(v, &x);
}

/* The number for a '*'.  It may be any value: an argument of a probe. */
static int feed_number(struct feed *f)
{
	int n = (int)feed_next(f)->u;

	return MAX(MIN(n, IMG_WIDTH_MAX), -IMG_WIDTH_MAX);
}

static void conv_run(struct conv *v, struct feed *f)
{
	const struct img_conv *c = v->c;
	const char *flags = c->flags ? c->flags : "";

	v->width = c->width;
	v->prec = c->prec;
	conv_flags(v, flags);
	if (c->width_arg) {
		int w = feed_number(f);

		v->left |= w < 0;
		v->width = w < 0 ? -w : w;
	}
	if (c->prec_arg)
		v->prec = feed_number(f);
	if (f->print && strchr(flags, '@')) {
		conv_agg(v, f);
		return;
	}
	const struct val *x = feed_next(f);

	conv_val(v, x);
}

/* "%#s": the program asks for it as it is, and says so of texts of its own. */
static bool conv_as_it_is(const struct format *format, const struct img_conv *c)
{
	return format->quoting >= QUOTE_SHELL && c->conv && c->flags && strchr(c->flags, '#');
}

bool printf_run(struct dtx_env *env, const struct format *format, struct buf *out)
{
	struct feed f = { .vals = format->vals, .nvals = format->nvals, .print = format->print,
			  .row = format->row };
	bool shells = format->quoting == QUOTE_SHELL, foreign = false;
	struct shell shell = { 0 };

	for (u32 i = 0; i < format->nconvs; i++) {
		const struct img_conv *c = &format->convs[i];
		bool as_it_is = conv_as_it_is(format, c);
		struct conv v = { .env = env, .c = c, .out = out, .shell = &shell,
				  .foreign = &foreign,
				  .quoting = as_it_is ? QUOTE_NONE : format->quoting };

		if (c->text) {
			buf_puts(out, c->text);
			if (shells)
				shell_read(&shell, c->text);
		}
		size_t from = out->len;

		if (c->conv)
			conv_run(&v, &f);
		if (shells && as_it_is && out->len > from)
			shell_read(&shell, out->data + from);
	}
	return !foreign;
}
