/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.c - runs the parser on the programs in order, explains syntax errors, and
 * collects clauses.
 */
#include <ctype.h>
#include <stdlib.h>

#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"
#include "dtx.lex.h"

/* ---- the token stream ----------------------------------------------------------------- */

static int parse_raw(struct lexer *lx, DTX_YYSTYPE *val)
{
	int token;

	lx->ended = false;
	token = lx->stop ? 0 : lex_raw(val, lx->scanner);
	if (!token)
		lx->from = lx->to;
	else
		lex_tell(lx, token);
	lx->prev2 = lx->prev;
	lx->prev = token;
	return token;
}

/* Called by the parser.  After an error the rest of the declaration is skipped. */
int dtx_yylex(DTX_YYSTYPE *, struct range *, struct lexer *);
int dtx_yylex(DTX_YYSTYPE *val, struct range *at, struct lexer *lx)
{
	int token;

	if (lx->recover) {
		while (!lx->ended && parse_raw(lx, val))
			;
		lx->recover = lx->quiet = false;
		lx->ended = true;
		*at = lex_range(lx);
		return TOK_RESYNC;
	}
	token = parse_raw(lx, val);
	*at = lex_range(lx);
	return token;
}

#define ERRORS_MAX  1000         /* the rest of the text is not read then */

/* ---- errors -------------------------------------------------------------------------------- */

static bool printable(const char *s, u32 len)
{
	for (u32 i = 0; i < len; i++)
		if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
			return false;
	return true;
}

/* "unexpected 'while', expected ';' or '}'"; long lists of expected tokens do not help. */
static void syntax_text(struct lexer *lx, struct range at, const char *const *expected, int n,
			struct buf *b)
{
	const char *text = lx->src->text + at.from;
	u32 len = at.to - at.from;

	if (!len)
		buf_puts(b, "unexpected end of the program");
	else if (len <= 40 && printable(text, len))
		buf_printf(b, "unexpected %s%.*s%s", *text == '\'' ? "" : "'", (int)len, text,
			   *text == '\'' ? "" : "'");
	else
		buf_puts(b, "unexpected text");
	for (int i = 0; n <= 5 && i < n; i++)
		buf_printf(b, "%s%s", !i ? ", expected " : i < n - 1 ? ", " : " or ", expected[i]);
}

/* "(NAME)" before the token, or "(NAME *" before the ')': a cast to a name that is not a type? */
static const char *unknown_cast(struct lexer *lx, struct range at)
{
	const char *text = lx->src->text, *end = text + at.from, *s;

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (end == text || !strchr(")*", *--end) || (*end == '*') != (lx->prev == ')'))
		return NULL;
	while (end > text && strchr(" *", end[-1]))
		end--;
	for (s = end; s > text && name_char(s[-1]); )
		s--;
	if (s == end || s == text || s[-1] != '(' || isdigit((unsigned char)*s))
		return NULL;
	if (s - text > 1 && name_char(s[-2]))
		return NULL;             /* a call */
	return arena_printf(lx->comp->arena, "'%.*s' is not a known type; write a tag as 'struct "
					     "NAME', or declare the name with a typedef",
			    (int)MIN(end - s, 64), s);
}

static bool is_closing(int token)
{
	return token == ')' || token == ']' || token == '}';
}

/* The bracket that the token, or the end of the program, finds open although it should be closed;
 * NULL: none. */
static const struct level *parse_open(const struct lexer *lx, bool at_end)
{
	u32 n = lx->levels.n - (lx->levels.n && lx->prev == '{');       /* not its own */
	const struct level *l = n ? &lx->levels.v[n - 1] : NULL;

	if (is_closing(lx->prev) && lx->passed.open)
		return &lx->passed;
	if (at_end || !l)
		return l;
	return l->open != '{' && (lx->prev == ';' || lx->prev == '{' || is_closing(lx->prev)) ?
		l : NULL;
}

void parse_syntax_error(struct lexer *lx, struct range at, const char *const *expected, int n)
{
	struct diags *ds = &lx->comp->env->diags;
	const struct level *open = parse_open(lx, at.from == at.to);
	struct buf b = { 0 };
	struct diag *d;
	const char *foreign = foreign_hint(lx->comp->env->arena, lx->src, at.from);
	const char *cast = lx->prev2 == ')' || lx->prev2 == '*' ? unknown_cast(lx, at) : NULL;
	const char *old = cast ? unexpected_old_type(lx, at) : NULL;
	const char *hint = unexpected_hint(lx, at, expected, n);

	lx->recover = true;
	lx->stop |= ds->nerrors >= ERRORS_MAX;
	if (lx->stop || lx->quiet)
		return;
	if (unexpected_value(lx, expected, n))
		buf_puts(&b, "a declaration cannot give a variable its value");
	else
		syntax_text(lx, at, expected, n, &b);
	d = diag_error(ds, D_SYNTAX, at, "%s", b.data);
	buf_free(&b);
	if (cast)
		diag_hint(ds, d, "%s", old ? old : cast);
	else if (open)
		diag_note(ds, d, (struct range){ lx->src, open->at, open->at + 1 },
			  "this '%c' is not closed", open->open);
	else if (foreign)
		foreign_tell(lx->comp, d, lx->src, at.from, foreign);
	else if (hint)
		diag_hint(ds, d, "%s", hint);
}

/* ---- clauses --------------------------------------------------------------------------------- */

void toplevel_add(struct comp *c, enum toplevel_kind kind, void *what)
{
	struct toplevel *it;

	if (c->front->in_lib == LIB_OWN)        /* tested text, not part of the program */
		return;
	it = ARENA_NEW(c->arena, struct toplevel);
	it->kind = kind;
	it->what = what;
	*c->ast.toplevel_last = it;
	c->ast.toplevel_last = &it->next;
}

/* How a description is written: for the options -P, -m, -f, -i, or in full. */
static const char *pdesc_form(const struct dtx_program *prog)
{
	static const char *const forms[] = {
		[1] = "-P takes PROVIDER; -n takes a description with all fields",
		[2] = "-m takes PROVIDER:MODULE; -n takes a description with all fields",
		[3] = "-f takes PROVIDER:MODULE:FUNCTION; -n takes a description with all fields",
		[4] = "a description is provider:module:function:name, and the first fields can "
		      "be omitted",
	};

	return prog->is_id ? "-n takes a description" : forms[prog->align];
}

/* `text` NULL: a number, as it stands in the program. */
struct pdescs pdesc_one(struct lexer *lx, const char *text, struct range at)
{
	struct pdesc *p = ARENA_NEW(lx->comp->arena, struct pdesc);
	struct diags *ds = &lx->comp->env->diags;
	const char *err = NULL;
	struct diag *d;

	if (!text)
		text = arena_strndup(lx->comp->arena, lx->src->text + at.from, at.to - at.from);
	p->text = text;
	p->at = at;
	if (*text && provider_parse(lx->comp->arena, text, lx->prog->align, &p->pat, &err) && !err)
		err = "this is not a probe description";
	if (*text && lx->prog->is_id && !lx->nexternals && !p->pat.id && !err)
		err = "-i takes the number of a probe, as -l shows it";
	p->bad = err || !*text;
	if (err) {
		d = diag_error(ds, D_PDESC_INVAL, at, "%s", err);
		if (!strchr(err, ':'))
			diag_hint(ds, d, "%s", pdesc_form(lx->prog));
	}
	return (struct pdescs){ p, &p->next };
}

struct pdescs pdesc_join(struct pdescs list, struct pdescs more)
{
	*list.last = more.first;
	list.last = more.last;
	return list;
}

void clause_add(struct lexer *lx, struct pdescs descs, struct node *pred,
		const struct nodes *body, struct range at)
{
	struct ast *ast = &lx->comp->ast;
	struct clause *cl = ARENA_NEW(lx->comp->arena, struct clause);

	cl->descs = descs.first;
	cl->pred = pred;
	cl->body = body ? body->first : NULL;
	cl->has_body = body;
	cl->at = at;
	cl->index = ast->nclauses++;
	cl->prog = lx->prog;
	lx->nexternals++;
	cl->library = lx->comp->front->in_lib == LIB_FILE;
	if (lx->comp->front->in_lib) {
		lx->comp->front->lib_clause = cl;
		ast->nclauses--;
	}
	if (lx->comp->front->in_lib == LIB_OWN)
		return;
	*ast->last = cl;
	ast->last = &cl->next;
	toplevel_add(lx->comp, TOP_CLAUSE, cl);
}

/* Only descriptions: on the command line a clause with an empty body. */
void clause_bare(struct lexer *lx, struct pdescs descs, struct range at)
{
	struct diags *ds = &lx->comp->env->diags;
	struct diag *d;

	if (lx->prog->is_script) {
		d = diag_error(ds, D_SYNTAX, at,
			       "expected a predicate or a body after the probe description");
		if (lex_spec_for_sure(descs.first->text, strlen(descs.first->text)))
			diag_hint(ds, d, "write '{ }' after it to see when it fires");
		else
			diag_hint(ds, d, "write '{ }' after it to see when it fires; %s",
				  foreign_type(ds->arena, descs.first->text,
					       strlen(descs.first->text))
					  ?: arena_printf(ds->arena, "as a type '%s' is not known",
							  descs.first->text));
		lx->nexternals++;
		return;
	}
	clause_add(lx, descs, NULL, NULL, at);
}

void clause_no_body(struct lexer *lx, struct range pred)
{
	struct diags *ds = &lx->comp->env->diags;
	struct diag *d = diag_error(ds, D_SYNTAX, pred, "expected a body after the predicate");

	diag_hint(ds, d, "write '{ }' after it to see when it fires");
	lx->nexternals++;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* A text with NUL bytes is not a D program. */
static bool is_text(struct comp *c, const struct source *src)
{
	const char *nul = memchr(src->text, 0, src->len);
	u32 off = nul ? nul - src->text : 0;
	struct diag *d;

	if (!nul)
		return true;
	d = diag_error(&c->env->diags, D_SYNTAX, (struct range){ src, off, off },
		       "'%s' is not the text of a D program: it has a NUL byte at offset %u",
		       src->name, off);
	if (src->len > 4 && !memcmp(src->text, "\177ELF", 4))
		diag_hint(&c->env->diags, d, "it is an object file; programs are plain text");
	return false;
}

static void last_arg_check(struct lexer *lx)
{
	struct dtx_env *env = lx->comp->env;
	struct range nowhere = { lx->src, 0, 0 };
	struct diag *d;

	if (env->nargs < 2 || lx->last_arg_used || opt_num(env, OPT_argref))
		return;
	d = diag_error(&env->diags, D_MACRO_UNUSED, nowhere,
		       "the operand '%s' is not used by this program", env->args[env->nargs - 1]);
	if (env->target_pid && !env->target_grabbed)
		diag_hint(&env->diags, d,
			  "if it belongs to the command, quote the whole: -c 'COMMAND %s'; else "
			  "leave it out, or use option argref", env->args[env->nargs - 1]);
	else
		diag_hint(&env->diags, d, "it is $%d; leave it out, or use option argref",
			  env->nargs - 1);
}

static void parse_text(struct lexer *lx)
{
	struct diags *ds = &lx->comp->env->diags;
	u32 errors = ds->nerrors;
	const char *text = lx->src->text;
	u32 skip = lx->src->len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
	struct range all = { lx->src, 0, 0 };
	YY_BUFFER_STATE buffer;
	struct diag *d;

	if (!lx->comp->front->in_lib && foreign_stap(lx->comp, lx->src))
		return;
	rawlex_init_extra(lx, &lx->scanner);
	buffer = raw_scan_bytes(text + skip, lx->src->len - skip, lx->scanner);
	lx->from = lx->to = skip;
	dtx_yyparse(lx);
	raw_delete_buffer(buffer, lx->scanner);
	rawlex_destroy(lx->scanner);
	if (ds->nerrors != errors || lx->comp->front->in_lib)
		return;
	if (!lx->nexternals && !opt_num(lx->comp->env, OPT_empty)) {
		d = diag_error(ds, D_EMPTY, all, "the program is empty");
		diag_hint(ds, d, "a program is at least a probe description with a body, as in "
			  "'BEGIN { trace(1); }'");
		return;
	}
	last_arg_check(lx);
}

static void parse_program(struct comp *c, struct dtx_program *prog)
{
	struct lexer lx = { .comp = c, .prog = prog, .src = prog->src, .outer = true };

	if (!is_text(c, prog->src))
		return;
	parse_text(&lx);
	VEC_FREE(&lx.levels);
	VEC_FREE(&lx.attrs);
	VEC_FREE(&lx.packs);
}

/* Possible while a program is parsed: the parser is reentrant. */
void parse_library(struct comp *c, const struct source *src)
{
	struct dtx_program *prog = ARENA_NEW(c->arena, struct dtx_program);

	*prog = (struct dtx_program){ .src = src, .align = 4, .is_script = true };
	parse_program(c, prog);
}

struct clause *parse_clause(struct comp *c, const char *source, const char *text)
{
	struct source *src = source_open(c->env->arena, source, text, strlen(text), true);
	enum lib_kind was = c->front->in_lib;

	src->is_library = true;
	c->front->in_lib = LIB_OWN;
	c->front->lib_clause = NULL;
	parse_library(c, src);
	c->front->in_lib = was;
	return c->front->lib_clause;
}

void front_open(struct comp *c)
{
	struct front *f = c->front = ARENA_NEW(c->arena, struct front);

	for (u32 i = 0; i < ARRAY_SIZE(f->types); i++) {
		f->types[i] = map_new();
		f->names[i] = map_new();
	}
}

void front_close(struct comp *c)
{
	struct front *f = c->front;

	for (u32 i = 0; i < ARRAY_SIZE(f->types); i++) {
		map_free(f->types[i]);
		map_free(f->names[i]);
	}
	lib_close(f);
}

/* Has the text lines for the preprocessor? */
static bool has_directive(const char *text)
{
	for (const char *s = text; s; s = strchr(s, '\n')) {
		s += strspn(s, " \t\n");
		if (*s != '#')
			continue;
		s += 1 + strspn(s + 1, " \t");
		if (!strncmp(s, "include", 7) || !strncmp(s, "define", 6) || !strncmp(s, "if", 2))
			return true;
	}
	return false;
}

/*
 * -C is for files; of the text of the command line, for what has lines for the preprocessor, and
 * for all of it beside -D: a definition would be silently without effect.
 */
static bool wants_cpp(const struct comp *c, const struct dtx_program *p)
{
	return opt_num(c->env, OPT_cpp) &&
	       (p->is_script || cpp_defines(c) || has_directive(p->src->text));
}

bool parse_programs(struct comp *c)
{
	c->ast.last = &c->ast.first;
	c->ast.xlates_last = &c->ast.xlates;
	c->ast.provdefs_last = &c->ast.provdefs;
	c->ast.toplevel_last = &c->ast.toplevel;
	if (!stability_options(c) || !lib_open(c))
		return false;
	if (cpp_defines(c) && !opt_num(c->env, OPT_cpp))
		diag_warn(&c->env->diags, DIAG_NONE, (struct range){ 0 },
			  "-D defines nothing without -C, which runs the preprocessor");
	for (u32 i = 0; i < c->nprogs; i++) {
		struct dtx_program *p = &c->progs[i];
		const struct source *src = p->src;

		if (wants_cpp(c, p) && !width_known(c->widths) && is_text(c, src))
			src = cpp_source(c, src);
		if (!src)
			continue;
		p->src = src;
		parse_program(c, p);
	}
	param_finish(c);
	c->broken = c->env->diags.nerrors != 0;
	return true;
}
