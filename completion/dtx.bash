# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2207
#
# Completion of dtx for bash: options, files, and what is inside of a program.
# dtx --complete gives the candidates; this file splits the line and quotes.

# _dtx_split LINE: the words of a line that has not ended, without quotes, in split[]. Of the last one: its open quote in open,
# and in raw what readline replaces: the end of it as typed, after the open quote, or after a character that breaks words.
_dtx_split() {
	local line=$1 c i word='' any='' breaks=${COMP_WORDBREAKS-$' \t\n"\'@><=;|&(:'}
	split=() open='' raw=''
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		if [ "$c" = \\ ] && [ "$open" != \' ]; then
			i=$((i + 1)) any=1 raw+=$c${line:i:1}
			# Between double quotes a backslash stays before other characters.
			[[ $open != \" || ${line:i:1} = [\"\\\$\`] ]] || word+=$c
			word+=${line:i:1}
		elif [ -n "$open" ]; then
			if [ "$c" = "$open" ]; then open=''; else word+=$c raw+=$c; fi
		elif [[ $c = [\'\"] ]]; then open=$c any=1 raw=''
		elif [[ $c = [[:space:]] ]]; then
			[ -z "$any$word" ] || split+=("$word")
			word='' any='' raw=''
		else
			word+=$c raw+=$c
			[[ $breaks != *"$c"* ]] || raw=''
		fi
	done
	split+=("$word")
}

# _dtx_reply TYPED: each candidate as readline puts it in place of raw. TYPED: the end of the word that candidates continue.
_dtx_reply() {
	local typed=$1 candidate about kept=${word%"$1"} more
	while IFS=$'\t' read -r candidate about; do
		more=${candidate#"$word"}
		# Others choose what programs, files and functions are called: none of it acts on the shell.
		case $open in
		\") more=${more//\\/\\\\} more=${more//\"/\\\"} more=${more//\$/\\\$} more=${more//\`/\\\`} ;;
		\') more=${more//\'/\'\\\'\'} ;;
		*) [ -z "$more" ] || printf -v more %q "$more" ;;
		esac
		# What is listed only is short: the part that differs.
		if [ "$COMP_TYPE" = 63 ]; then COMPREPLY+=("${candidate#"$kept"}"); else COMPREPLY+=("$raw$more"); fi
	done
	# Of a part of a program there is more to come. readline closes the quote after the only candidate, but not with two.
	if [ "$kind" = words ] && [ -n "$open" ] && [ ${#COMPREPLY[@]} = 1 ]; then COMPREPLY+=("$COMPREPLY "); fi
}

_dtx() {
	local split open raw kind typed word
	_dtx_split "${COMP_LINE:0:COMP_POINT}"
	COMPREPLY=()
	word=${split[${#split[@]} - 1]}
	{
		IFS=$'\t' read -r kind typed
		_dtx_reply "$typed"
	} < <("${split[0]}" --complete -- "${split[@]:1}" 2>/dev/null)
	case ${kind:-files} in
	files)
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "${typed-$word}"))
		;;
	commands) [ -n "$open$raw" ] && COMPREPLY=($(compgen -c -- "$raw")) ;;
	words) compopt -o nospace 2>/dev/null ;;
	esac
}
complete -F _dtx dtx
