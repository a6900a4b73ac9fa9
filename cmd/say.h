/* SPDX-License-Identifier: BSD-2-Clause */
/* say.h - messages of the commands on standard error. */
#ifndef DTX_SAY_H
#define DTX_SAY_H

#include <dtx-run.h>
#include <stdbool.h>
#include <stdio.h>

/* A message of the command itself: a sentence, printed after the name of the command. */
void command_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void command_instead(const char *option);       /* of other tools: what it is called here */
/* Could `name` be `word` with one mistake: a letter more, less, another one, or two in the other
 * order? */
bool say_is_near(const char *word, const char *name);
struct option;
/* --frmat, --strsize: says which option that may be, of the command or of -x.  next: the word that
 * follows, or NULL. */
bool say_near_option(const char *word, const char *next, const struct option *longs);
bool say_is_plain(const char *word);             /* as it is: getopt does not mask it */
void say_at_once(const char *text);              /* async-signal-safe */
/* A dtx_message_fn; `colour` points to a bool. */
void show_message(void *colour, const struct dtx_message *);
/* The width of the terminal at `fd`; 0: it is none, or does not know. */
unsigned int screen_columns(int fd);
/* The text that `put` writes, within the width of the terminal if `out` is one. */
void say_text(FILE *out, void (*put)(const void *arg, FILE *), const void *arg);
/* All of standard output is written at the end, where a failure is known with its reason. */
void say_at_end(void);
/* Another one, which writes to a FILE: messages of a compilation that are shown with others. */
void keep_message(void *file, const struct dtx_message *);

#endif
