#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
#
# What a pointer to a const struct of the kernel points to is shown with its members.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'BEGIN { print(curthread->cred); exit(0); }'
grep -qE '^ {44}\(const struct cred\) \{$' "$tmp/out" || { cat "$tmp/out" >&2; fail "no struct"; }
grep -qE '^ {45}\.user_ns = \(struct user_namespace \*\)0xf[0-9a-f]+,$' "$tmp/out" || { cat "$tmp/out" >&2; fail "no members"; }
