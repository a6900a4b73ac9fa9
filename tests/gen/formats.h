/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formats.h - a part of shows.c: printf() with random conversions, and what it prints.
 */

static void escape(char *out, const char *s, unsigned n)
{
	static const char from[] = "\a\b\f\n\r\t\v\"\\", to[] = "abfnrtv\"\\";

	for (; n; n--, s++)
		if (*s && strchr(from, *s))
			out += sprintf(out, "\\%c", to[strchr(from, *s) - from]);
		else if (!*s)
			out += sprintf(out, "\\0");
		else
			out += sprintf(out, *s >= 0x20 && *s < 0x7f ? "%c" : "\\%03o", (uint8_t)*s);
	*out = 0;
}

/* A conversion and what it takes; stars stand for numbers of their own. */
struct piece { const char *text, *cast; struct conv c; bool star_width, star_prec; };

static void piece_random(struct piece *p)
{
	static const char *const between[] = { " ", "|", ", ", "%%", "\\t", "x = ", "\\n" };
	static const char letters[] = "dddiuxXopccCsssS";

	p->text = PICK(between);
	p->c = conv_random(letters, "");
	p->c = conv_random((char[]){ p->c.letter, 0 }, strchr("cCsS", p->c.letter) ? "-"
						       : p->c.letter == 'p'        ? "-0#"
										   : "-0+ #");
	if (strchr("cC", p->c.letter))
		p->c.prec = -1;
	p->cast = "";
	if (strchr("diuoxX", p->c.letter) && chance(25)) {
		static const char *const sizes[] = { "h", "l", "ll" };
		static const char *const casts[] = { "(short)",         "(long)",
						     "(long long)",     "(unsigned short)",
						     "(unsigned long)", "(unsigned long long)" };
		unsigned k = rnd(COUNT(sizes));

		p->c.size = sizes[k];
		p->cast = casts[k + (chance(50) ? COUNT(sizes) : 0)];
	}
	p->star_width = chance(10);
	p->star_prec = p->c.prec >= 0 && chance(30);
	printf("%s%%%s", p->text, p->c.flags);
	if (p->star_width)
		putchar('*');
	else if (p->c.width >= 0)
		printf("%d", p->c.width);
	if (p->star_prec)
		fputs(".*", stdout);
	else if (p->c.prec >= 0)
		printf(".%d", p->c.prec);
	printf("%s%c", p->c.size, p->c.letter);
}

static const struct type *type_cast(const char *cast)
{
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strlen(cast) - 2, cast + 1);
	return !strcmp(name, "unsigned long long") ? type_of("unsigned long") : type_of(name);
}

/* The conversion's arguments, and what it makes of them. */
static void piece_value(FILE *to, struct piece *p)
{
	char s[STRING_ROOM], t[4 * STRING_ROOM];
	struct conv *c = &p->c;
	struct number n;

	if (p->star_width) {
		printf(", %d", c->width = (int)rnd(40) - 20);
		if (c->width < 0)
			strcat(c->flags, "-"), c->width = -c->width;
	}
	if (p->star_prec) {
		printf(", %d", c->prec = (int)rnd(14) - 2);
		c->prec = c->prec ? c->prec : -1;
	}
	fputs(", ", stdout);
	if (strchr("sS", c->letter)) {
		shown_text(s);
		escape(t, s, strlen(s) + 1);
		conv_string(to, c, c->letter == 's' ? s : t);
	} else if (strchr("cC", c->letter)) {
		n.v = chance(70) ? 1 + rnd(126) : rnd(256);
		printf("(%s)%u", chance(50) ? "int" : "char", (unsigned)n.v);
		escape(t, (char []){ n.v }, 1);
		if (c->letter == 'C')
			conv_string(to, c, t);
		else
			fprintf(to, strchr(c->flags, '-') ? "%-*c" : "%*c",
				c->width < 0 ? 0 : c->width, (int)n.v);
	} else {
		printf("%s", p->cast);
		n = number_value(2);
		if (*p->cast)
			n.type = type_cast(p->cast);
		c->letter = c->letter == 'p' ? 'x' : c->letter;
		conv_int(to, c, n.v, n.type);
	}
}

static void formatted(void)
{
	struct piece p[6];
	unsigned n = rnd(COUNT(p) + 1);
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	fputs("\tprintf(\"", stdout);
	for (unsigned i = 0; i < n; i++)
		piece_random(&p[i]);
	fputs("\\n\"", stdout);
	for (unsigned i = 0; i < n; i++) {
		fputs(!strcmp(p[i].text, "%%")    ? "%"
		      : !strcmp(p[i].text, "\\t") ? "\t"
		      : !strcmp(p[i].text, "\\n") ? "\n"
						  : p[i].text,
		      to);
		piece_value(to, &p[i]);
	}
	fputs(");\n", stdout);
	fputc('\n', to);
	fclose(to);
	show_bytes(text, size);
	free(text);
}

static void display(void)
{
	unsigned k = rnd(12);

	k < 5 ? trace() : k < 10 ? formatted() : k < 11 ? tracemem() : print();
}
