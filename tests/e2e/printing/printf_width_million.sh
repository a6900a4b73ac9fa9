#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Widths and precisions up to ten million are honoured.
. "$(dirname "$0")/../lib.sh"

same 10000000 "$("$DTX" -qn 'BEGIN { printf("%10000000d", 3); exit(0); }' | tr -d '\n' | wc -c)" 'a width'
same 2000001 "$("$DTX" -qn 'BEGIN { printf("%.2000000d-", 3); exit(0); }' | tr -d '\n' | wc -c)" 'a precision'
same 1000000 "$("$DTX" -qn 'BEGIN { printf("%*s", 1000000, "a"); exit(0); }' | tr -d '\n' | wc -c)" 'a width by *'
