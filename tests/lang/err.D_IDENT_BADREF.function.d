// SPDX-License-Identifier: BSD-2-Clause
// A function is not a variable.
BEGIN { trace(strlen); }
