" SPDX-License-Identifier: BSD-2-Clause
" A file whose first line runs dtx or dtrace, and each file NAME.d of which the first lines look like D of DTrace.
autocmd BufNewFile,BufRead *.d if getline(1) =~# '^#!.*\<\(dtx\|dtrace\)\>' || join(getline(1, 40), "\n") =~# '\(^\|\n\)#pragma D \|\(^\|\n\)\(BEGIN\|END\|[a-z]\+:[^ ]*:[^ ]*:\)' | set filetype=dtx | endif
autocmd BufNewFile,BufRead * if &filetype !=# "dtx" && getline(1) =~# '^#!.*\<dtx\>' | set filetype=dtx | endif
