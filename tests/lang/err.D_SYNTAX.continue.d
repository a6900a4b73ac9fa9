// SPDX-License-Identifier: BSD-2-Clause
// continue needs a loop.
BEGIN { if (1) continue; }
