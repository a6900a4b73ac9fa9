// SPDX-License-Identifier: BSD-2-Clause
// sizeof of a name that is neither a type nor a variable.
BEGIN { trace(sizeof (nosuchtype)); }
