// SPDX-License-Identifier: BSD-2-Clause
// A probe has at most 255 arguments.
provider p {
	probe q(int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, 
		int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int);
};
BEGIN { exit(0); }
