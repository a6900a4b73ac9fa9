/* SPDX-License-Identifier: BSD-2-Clause */
/* lsp.h - dtx --lsp: a language server on standard input and output (lsp.c, lsp_text.c). */
#ifndef CMD_LSP_H
#define CMD_LSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Serves until the client says exit or closes the input.  The exit status. */
int lsp_serve(FILE *in, FILE *out);

/* ---- lsp_text.c: places in a text ----------------------------------------------------------- */

/* LSP counts lines from 0 and characters in units of UTF-16. */
size_t lsp_offset(const char *text, long line, long character);
void lsp_position(const char *text, size_t at, long *line, long *character);

#endif
