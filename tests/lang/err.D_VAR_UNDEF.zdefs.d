// SPDX-License-Identifier: BSD-2-Clause
// run: -Z
// What nothing assigns to is unknown in clauses without probes too.
fbt::no_such_function:entry { trace(parameter); trace(self->misspelt); }
