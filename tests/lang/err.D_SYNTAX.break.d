// SPDX-License-Identifier: BSD-2-Clause
// break needs a loop.
BEGIN { break; }
