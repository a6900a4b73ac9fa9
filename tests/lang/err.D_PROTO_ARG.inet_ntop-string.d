// SPDX-License-Identifier: BSD-2-Clause
// A string is no address.
BEGIN { trace(inet_ntop(2, "abcd")); }
