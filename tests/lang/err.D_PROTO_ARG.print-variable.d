// SPDX-License-Identifier: BSD-2-Clause
// The hint is something that a D variable can do.
BEGIN { x = 1; print(x); }
