/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.c - the file of a command's output: opened, closed, and not left empty.
 */
#include "cmd/command.h"
#include "cmd/say.h"

#include <dtx-run.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *command_output(const char *path, bool add)
{
	FILE *out = path ? dtx_output(path, add) : stdout;

	if (!out)
		command_say("cannot open %s: %s", path, dtx_file_why(errno));
	return out;
}

/* Lost output is an error, unless its reader closed the pipe: the exit status, or that. */
int command_close(FILE *out, const char *path, int status)
{
	bool bad = ferror(out);

	errno = 0;                       /* an earlier failed write is known only to ferror() */
	if (fclose(out))
		bad = true;
	if (!bad || errno == EPIPE || status != STATUS_OK)
		return status;
	command_say("cannot write %s: %s", path ? path : "the output",
		    strerror(errno ? errno : EIO));
	return STATUS_FAILED;
}

/* Who made nothing leaves nothing: an empty file looks like an answer. */
int command_left(const char *path, int status)
{
	struct stat st;

	if (path && status && !lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(path);
	return status;
}
