#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: native
#
# system(): a text that a traced program chooses is one argument, wherever it stands in the command; texts of the program are
# commands. Where no quoting is possible the program is refused; "%#s" and -x raw give it as it is, with a warning.
# attack: the name would be read once more as a command: by eval, sh -c, ssh, python3 -c, or as a number in $((…)) | the program is refused
# attack: a process is called "';id>F;'", "$(id>F)", "`id>F`", "\";id>F;\"" or has a newline in its name; the script runs system("… %s", execname) | the name is one argument in plain text, in '…', in "…" and in "$(…)"
. "$(dirname "$0")/../lib.sh"

names=("plain" "a b" "';id>F;'" '$(id>F)' '`id>F`' '";id>F;"' 'a;id>F' '|id>F' $'a\nid>F' 'a\' "it's" '~' '*' '-n' '$HOME' "''" '#x' '&id>F')
cat >"$tmp/run" <<END
cd $tmp && exec $(readlink -f "$t/named") $(for n in "${names[@]}"; do printf '%q ' "$n"; done)
END
DTX=$(readlink -f "$DTX")
cd "$tmp" || exit 1
for form in 'printf "%%s|" %s' "printf '%%%%s|' '%s'" 'printf "%%s|" "%s"' 'printf "%%s|" "$(printf "%%s" %s)"' 'printf "%%s|" "$(printf "%%s" "%s")"' "(printf '%%%%s|' x%s)"; do
	form=${form//%%%%/%%}
	"$DTX" -qwn 'syscall::getpgid:entry /pid == $target/ { system("'"${form//\"/\\\"}"'", execname); }' -c "bash $tmp/run" >"$tmp/out" 2>"$tmp/err" || fail "$form: $(cat "$tmp/err")"
	[ ! -s "$tmp/err" ] || fail "$form says: $(cat "$tmp/err")"
	[ ! -e F ] || fail "$form: a name ran a command"
	x=
	case $form in *x%s*) x=x ;; esac
	same "$(printf "$x%s|" "${names[@]}")" "$(cat "$tmp/out")" "$form"
done
dtx -qwn 'BEGIN { system("echo %s", "a  b; echo two"); system("%s %d", "echo", 3); system("x=%s; echo $x", probename); exit(0); }'
same $'a b\ntwo\n3\nBEGIN' "$(cat "$tmp/out")" "the program's own texts"
for form in 'echo `%s`' 'echo ${x:-%s}' 'cat <<E\n%s\nE' 'echo \\%s' 'echo # %s' 'x="$(case a in a) echo %s;; esac)"' 'echo $((%s))' \
	'eval echo %s' 'echo x; eval "echo $(echo %s)"' 'sh -c "echo %s"' "'/bin/sh' '-ec' %s" 'timeout 5 bash -c %s' 'ssh host %s' 'x="$(eval %s)"' 'python3.11 -c "print(%s)"' "perl -ne '%s'" \
	'su nobody --command %s' 'sh 2>&1 -c %s' 'sh >|f -c %s' 'sh>f -c %s' 'perl -I/a/b -e %s' 'sh $x -c %s' 'sh a & bash -c %s' 'sh -x -c %s' 'sh -o x -c %s' 'sh -xo x -c %s' 'bash --rcfile x -c %s' 'python3 -x x -c %s'; do
	"$DTX" -qwn "BEGIN { system(\"${form//\"/\\\"}\", execname); exit(0); }" >"$tmp/out" 2>"$tmp/err" && fail "$form is accepted"
	grep -q 'cannot be quoted for the shell' "$tmp/err" || fail "$form: $(cat "$tmp/err")"
done
for form in 'sh -c %cecho $1%c sh %s' 'echo -c %s' 'eval x=1; echo %s' 'evaluate() { :; }; echo %s' 'sh %s' 'grep -c %s' 'sh script -c %s' '2>&1 sh ./a/b -c %s' 'sh -x script -c %s' 'sh -e -ux ./a/b -c %s' 'python3 x.py -c %s'; do
	"$DTX" -qwen "BEGIN { system(\"${form//%c/\\x27}\", execname); exit(0); }" >"$tmp/out" 2>"$tmp/err" || fail "$form is refused: $(cat "$tmp/err")"
done
dtx -qwn 'BEGIN { this->s = strjoin("echo one; echo ", probename); system("%#s", this->s); exit(0); }'
same $'one\nBEGIN' "$(cat "$tmp/out")" '%#s'
grep -q 'warning: the shell runs what this text says' "$tmp/err" || fail "no warning: $(cat "$tmp/err")"
dtx -qw -x raw -n 'BEGIN { this->s = strjoin("echo one; echo ", probename); system("%s", this->s); exit(0); }'
same $'one\nBEGIN' "$(cat "$tmp/out")" '-x raw'
