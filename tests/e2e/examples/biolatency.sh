#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/biolatency.d: the number of known direct reads is in the distribution, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

file_on_disk
load <<'END'
dd if=file of=/dev/null bs=32k count=10 iflag=direct status=none
END
for options in '' -d '-d -f' '-f -Q'; do
	# shellcheck disable=SC2086 # a list of options
	tool biolatency $options
	[ $(($(rows '/\|/ { n += $NF } END { print n + 0 }') + $(skipped))) -ge 10 ] || fail "$options: not ten requests"
	rows '/us/ { n++ } END { exit !n }' || fail 'no title'
done
rows '/^0,0 R.* \(us\):/ { n++ } END { exit !n }' || fail 'no reads'     # R, and RM or RA of others
