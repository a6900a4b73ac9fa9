// SPDX-License-Identifier: BSD-2-Clause
// A void pointer says nothing about the size of its object.
BEGIN { print((void *)0); }
