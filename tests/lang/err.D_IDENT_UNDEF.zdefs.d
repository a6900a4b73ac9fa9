// SPDX-License-Identifier: BSD-2-Clause
// run: -Z
// A clause without probes may name what only it would have assigned to, not what nothing assigns to.
perl1:::sub-entry { self->depth++; this->name = args[0]; }
perl1:::sub-entry { trace(this->name); trace(self->depth); trace(misspelt); }
