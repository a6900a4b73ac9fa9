#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: env.opt
#
# DTRACE_OPT_NAME sets an option; the command line and pragmas win over it.
. "$(dirname "$0")/../lib.sh"

DTRACE_OPT_QUIET=1 DTRACE_OPT_STRSIZE=5 dtx -n 'BEGIN { s = "0123456789"; printf("[%s]", s); exit(0); }'
same '[0123]' "$(cat "$tmp/out")" "the environment is not used"
DTRACE_OPT_QUIET=1 DTRACE_OPT_STRSIZE=5 dtx -x strsize=7 -n 'BEGIN { s = "0123456789"; printf("[%s]", s); exit(0); }'
same '[012345]' "$(cat "$tmp/out")" "-x does not win over the environment"
