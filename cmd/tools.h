/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tools.h - the scripts of examples/ by their names: dtx opensnoop -f (tools.c).
 */
#ifndef CMD_TOOLS_H
#define CMD_TOOLS_H

#include <stdbool.h>
#include <stdio.h>

/* The script of the tool of this name, malloc'd; NULL: there is none. */
char *tools_find(const char *name);
/* Calls `each` for the tools whose names begin so, in their order. */
void tools_each(const char *begin, void (*each)(void *arg, const char *name, const char *path),
		void *arg);
/* A word that is neither a file nor a tool: says what was meant, if that is known.  What other
 * tools call record, stat, ls … has an answer of its own. */
void tools_tell(const char *word);
/* What does here what a command of this name does elsewhere; NULL: that is not known. */
const char *tools_meant(const char *word);
/* "execsnoop-bpfcc", "opensnoop.bt": the name of the tool, malloc'd; NULL: it is none. */
char *tools_elsewhere(const char *word);
/* The tool that a mistyped name, or one of another package, stands for, malloc'd; or NULL. */
char *tools_near(const char *word);
/* trace -e openat: says how the tool is told which calls to show; false: it is no such thing. */
bool tools_tell_calls(const char *tool, const char *calls);
/* Asks at the terminal which question is to be answered, until a tool is chosen: its name,
 * malloc'd; NULL: none. */
char *tools_ask(FILE *in, FILE *out);
/* What follows the interpreter in the first line of a script (#!/usr/bin/dtx -qs): "-qs",
 * malloc'd; NULL: there is nothing. */
char *tools_line(const char *path);

#endif
