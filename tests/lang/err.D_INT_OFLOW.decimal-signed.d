// SPDX-License-Identifier: BSD-2-Clause
// A decimal constant without u takes signed types only: none holds this one.
BEGIN { trace(18446744073709551615); }
