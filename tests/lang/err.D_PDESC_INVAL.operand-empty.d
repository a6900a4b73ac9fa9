// SPDX-License-Identifier: BSD-2-Clause
// An option that is the whole description, and has no text.
#pragma D param probe string "" "what to count"

$probe { @ = count(); }
