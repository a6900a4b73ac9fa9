// SPDX-License-Identifier: BSD-2-Clause
// run: -Z
// A clause without probes may name what only it would have assigned to, not what nothing assigns to.
perl*:::sub-entry { self->depth++; this->name = args[0]; }
perl*:::sub-entry { trace(this->name); trace(self->depth); trace(misspelt); }
