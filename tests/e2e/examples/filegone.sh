#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/filegone.d: files and folders that are removed or renamed, and calls that fail.
. "$(dirname "$0")/tool.bash"

own /usr/bin/python3 known
cat >"$tmp/gone.py" <<'END'
import os
open("one", "w").close(); open("two", "w").close(); os.mkdir("three")
os.rename("one", "four"); os.unlink("four"); os.unlink("two"); os.rmdir("three")
try: os.unlink("five")
except OSError: pass
END
load <<<'./known gone.py'
tool filegone -n known
heading 'TIME PID PROGRAM CALL ERR FILE [-> NEW]'
same 'rename 0 one -> four
unlink 0 four
unlink 0 two
rmdir 0 three' "$(rows '$3 == "known" { $1 = $2 = $3 = ""; sub(/^ +/, ""); print }')" 'not the files'
tool filegone -n known --file ive -f
same 'unlink 2 five' "$(rows '$3 == "known" { print $4, $5, $6 }')" 'not the one that failed'
