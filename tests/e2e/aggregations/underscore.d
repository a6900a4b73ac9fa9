// SPDX-License-Identifier: BSD-2-Clause
// row: lang.14
// run: -q
// @ is the aggregation _.
BEGIN { @ = count(); @_ = count(); printa("%@d\n", @); exit(0); }
