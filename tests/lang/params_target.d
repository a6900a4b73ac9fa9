// SPDX-License-Identifier: BSD-2-Clause
// An option that is a whole probe description, and names the target process.
#pragma D param probe string "pid$target:a.out:main:entry" "a description"

$probe { }
