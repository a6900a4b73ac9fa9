/* SPDX-License-Identifier: BSD-2-Clause */
/* lsp.h - dtx --lsp: a language server on standard input and output (lsp.c, lsp_text.c). */
#ifndef CMD_LSP_H
#define CMD_LSP_H

#include <dtx.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Serves until the client says exit or closes the input.  The exit status. */
int lsp_serve(FILE *in, FILE *out);

/* ---- lsp_text.c: places, files --------------------------------------------------------------- */

/* LSP counts lines from 0 and characters in units of UTF-16. */
size_t lsp_offset(const char *text, long line, long character);
bool lsp_is_name(const char *);                  /* a word as names are; NULL is none */
void lsp_position(const char *text, size_t at, long *line, long *character);
/* Writes the definition of a struct to a file, and returns its path, which is the caller's.  So is
 * the folder, which the first call makes.  NULL: it cannot be written. */
char *lsp_definition(char **folder, const char *definition);

/* ---- lsp_actions.c -------------------------------------------------------------------------- */

json_t *lsp_range(const char *text, size_t from, size_t to);
/* What mends the mistakes between two places; `check` compiles the text. */
json_t *lsp_fixes(const char *text, const char *uri, size_t from, size_t to,
		  void (*check)(const char *text, dtx_message_fn *, void *arg));
json_t *lsp_symbols(const char *text);                   /* clauses and declarations */
json_t *lsp_signature(const char *text, size_t at);      /* of the call around it, or NULL */
json_t *lsp_capabilities(void);                          /* what the server can */

/* ---- lsp_tokens.c --------------------------------------------------------------------------- */

json_t *lsp_legend(void);                        /* SemanticTokensOptions */
json_t *lsp_tokens(const char *text);            /* SemanticTokens */

#endif
