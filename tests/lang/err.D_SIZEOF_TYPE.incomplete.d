// SPDX-License-Identifier: BSD-2-Clause
// A struct that is only named has no size.
BEGIN { trace(sizeof (struct nowhere_defined)); }
