/* SPDX-License-Identifier: BSD-2-Clause */
/* A signal that is none. */
#pragma D option destructive
BEGIN { signal("SIGNONE"); exit(0); }
