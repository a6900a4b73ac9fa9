#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
# where: guest
#
# io, of NFS: with its module the probes have their places, and every member that a program may use is there. (There is
# no server here: nothing fires.) One of the places of done is that of a start, where the size is kept.
. "$(dirname "$0")/../lib.sh"

folder=/lib/modules/$(uname -r)
for file in $(sed -n 's,^\(kernel/fs/nfs/nfs\.ko[.a-z]*\):,\1,p' "$folder/modules.dep" | tr ' ' '\n' | tac); do
	insmod "$folder/$file" 2>/dev/null
done
"$DTX" -en 'rawtp:nfs::nfs_initiate_read { trace(args.hdr); }' >"$tmp/err" 2>&1 || skip "the module of NFS has no types here: $(head -n 1 "$tmp/err")"

members='trace(args[0]->b_flags); trace(args[0]->b_bcount); trace(args[0]->b_lblkno); trace(args[0]->b_blkno); trace(args[0]->b_resid);
	trace(args[0]->b_bufsize); trace(args[0]->b_iodone); trace(args[0]->b_error); trace(args[0]->b_edev); trace(args[1]->dev_major);
	trace(args[1]->dev_minor); trace(args[1]->dev_name); trace(args[1]->dev_statname); trace(args[1]->dev_pathname);
	trace(args[2]->fi_name); trace(args[2]->fi_pathname); trace(args[2]->fi_offset); trace(args[2]->fi_fs);'
while read -r probe places; do
	dtx -S plan -en "io:::$probe { $members }"
	same "$places" "$(grep -c '^site ' "$tmp/out")" "the places of io:::$probe"
done <<-END
	start 3
	done 5
END
