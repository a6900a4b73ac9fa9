// SPDX-License-Identifier: BSD-2-Clause
// A mapped argument of another type needs a translator.
struct info { int a; };
provider p { probe q(int x) : (struct info x); };
BEGIN { exit(0); }
