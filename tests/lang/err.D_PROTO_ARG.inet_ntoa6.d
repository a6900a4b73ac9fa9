// SPDX-License-Identifier: BSD-2-Clause
// The second argument is a constant.
BEGIN { i = 1; trace(inet_ntoa6((struct in6_addr *)alloca(16), i)); }
