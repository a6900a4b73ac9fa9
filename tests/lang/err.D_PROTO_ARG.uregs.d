// SPDX-License-Identifier: BSD-2-Clause
// The index of uregs[] is an integer.
BEGIN { trace(uregs["x"]); }
