/* SPDX-License-Identifier: BSD-2-Clause */
/* complete.h - answers for the completion functions of shells (complete.c). */
#ifndef CMD_COMPLETE_H
#define CMD_COMPLETE_H

#include <dtx-run.h>

/*
 * dtx --complete -- WORD…: the words of a command line after its name, the last one up to the
 * cursor.  The first line of the answer is
 *   files, commands   the shell knows them
 *   words             candidates that may go on: parts of a program, -x NAME[=VALUE]
 *   whole             candidates that end the word
 * then a tab and the end of the last word that candidates continue.  A line for each candidate
 * follows, which replaces the last word: the word, a tab, what it is.  The exit status.
 */
int complete_line(struct dtx *, int nwords, char **words, FILE *out);

#endif
