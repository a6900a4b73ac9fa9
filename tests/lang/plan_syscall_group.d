// SPDX-License-Identifier: BSD-2-Clause
// The plan: two system calls whose arguments lie in the same places share clauses.
// filter: kind
// needs: root
syscall::read:entry, syscall::write:entry { @[probefunc] = sum(arg2); }
