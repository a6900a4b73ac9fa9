// SPDX-License-Identifier: BSD-2-Clause
// The plan: an object that a walk of the kernel shows.
// filter: kind
// needs: root
iter:::task { trace(args[0]->pid); }
