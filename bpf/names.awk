# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# names.awk - a line "name piece" for each function and variable that a piece of the BPF library has
# for others, of its LLVM IR.

/ (internal|private|external) / { next }
/^define / { sub(/^define [^@]*@/, ""); sub(/\(.*/, ""); print $0, piece }
/^@/ { sub(/^@/, ""); sub(/ =.*/, ""); print $0, piece }
