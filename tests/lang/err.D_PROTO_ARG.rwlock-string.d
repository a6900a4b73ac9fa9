// SPDX-License-Identifier: BSD-2-Clause
// A string is no lock.
BEGIN { trace(rw_read_held("lock")); }
