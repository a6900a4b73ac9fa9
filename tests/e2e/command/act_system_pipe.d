/* SPDX-License-Identifier: BSD-2-Clause */
/* A command of system() whose reader has enough ends by SIGPIPE, as from a shell. */
/* run: -w */
#pragma D option quiet
BEGIN { system("{ yes 2>/dev/null; echo it was $? >&2; } | head -n 1"); exit(0); }
