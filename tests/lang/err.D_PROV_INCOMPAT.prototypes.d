// SPDX-License-Identifier: BSD-2-Clause
// A provider declared again has the same prototypes.
provider p { probe q(int); };
provider p { probe q(char *); };
BEGIN { exit(0); }
