// SPDX-License-Identifier: BSD-2-Clause
// A kernel symbol whose type is not known.
BEGIN { trace(`_stext); }
