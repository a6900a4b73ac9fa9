// SPDX-License-Identifier: BSD-2-Clause
// strtok(NULL) goes on where the last token ended, in any clause of the firing.
#pragma D option quiet
BEGIN { printf("%s\n", strtok("one,two;three", ",")); }
BEGIN { printf("%s\n", strtok(NULL, ";")); }
BEGIN { printf("%s %d\n", strtok(NULL, ";"), strtok(NULL, ";") == NULL); exit(0); }
