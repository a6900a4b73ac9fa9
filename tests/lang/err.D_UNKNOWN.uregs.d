// SPDX-License-Identifier: BSD-2-Clause
// No register has this index.
BEGIN { trace(uregs[1000]); }
