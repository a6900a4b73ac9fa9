#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# timeout: 100
# module: random
# truth: fbt of a module, arguments and results of random types | printed, compared, summed, as keys, assigned, cast | the module itself
# truth: tracepoints of a module, fields of random types | printed, compared, summed, as keys, assigned, cast | the module itself
#
# Functions and tracepoints of random kernel modules: arguments, fields and results are what the kernel's compiler makes of them.
# The modules were made before the guest started (tests/run); tests/gen/module KERNEL is the long run, by hand.
. "$(dirname "$0")/../lib.sh"

modules=$PWD/build/tests/random/$(uname -r | cut -d. -f1,2)
[ -e "$modules/2.ko" ] || skip 'needs a module made for this kernel'
exec "$(dirname "$0")/../../gen/module" --inside "$modules"
