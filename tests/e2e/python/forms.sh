#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root /usr/bin/python3 jq
#
# Frames of Python in all outputs: one row for the same stack of several processes, also of those that start later;
# named when the processes have ended; JSON, folded stacks, a record that is replayed, an image.
. "$(dirname "$0")/../lib.sh"
cat >"$tmp/prog.py" <<'END'
import os
class Shop:
    def price(self):
        return os.getppid()
Shop().price()
END
for i in 1 2 3; do echo "/usr/bin/python3 $tmp/prog.py"; done >"$tmp/script"
program='syscall::getppid:entry /execname == "python3"/ { @[pystack()] = count(); }'
want="$tmp/prog.py:4 Shop.price
$tmp/prog.py:5 <module>"
python() { "$DTX" -q "$@" -c "sh $tmp/script" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"; }
# The interpreter of Debian is known before the first process.
rows() { sed 's/^ *//' "$tmp/out" | grep .; }

python -n "$program"
same "$want
3" "$(rows)" 'three processes'
python -n "$program" --format json --record "$tmp/record" --stacks folded="$tmp/folded"
jq -r '.. | .frames? // empty | .[] | "\(.file):\(.line) \(.symbol)"' "$tmp/out" | sort -u >"$tmp/frames"
same "$want" "$(cat "$tmp/frames")" 'JSON'
jq -r '.. | .frames? // empty | .[].text' "$tmp/out" | sort -u >"$tmp/frames"
same "$want" "$(cat "$tmp/frames")" 'texts in JSON'
grep -qx '<module>;Shop.price 3' "$tmp/folded" || fail "folded: $(cat "$tmp/folded")"
"$DTX" -q --replay "$tmp/record" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "$want
3" "$(rows)" 'replayed'

dtx -q --format json -n 'BEGIN { pystack(); exit(0); }'
grep -qE '"incomplete":"(its interpreter was being looked for|not a Python process)"' "$tmp/out" || fail "the reason in JSON: $(cat "$tmp/out")"

# An image has no target: it starts the script itself.
ends='syscall::getppid:return /execname == "python3"/ { ended++; } syscall::getppid:return /ended == 3/ { exit(0); }'
"$DTX" --image "$tmp/image" -q -w -n 'BEGIN { system("sh %s &", "'"$tmp/script"'"); } tick-20s { exit(0); }'" $program $ends" || fail 'no image'
"$DTX-run" "$tmp/image" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "$want
3" "$(rows)" 'an image'
