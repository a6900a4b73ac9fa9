// SPDX-License-Identifier: BSD-2-Clause
// A mapped argument is a native one by its name.
provider p { probe q(int x) : (int y); };
BEGIN { exit(0); }
