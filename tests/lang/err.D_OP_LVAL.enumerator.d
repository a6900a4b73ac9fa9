// SPDX-License-Identifier: BSD-2-Clause
// An enumerator is a constant.
enum e { A };
BEGIN { A++; }
