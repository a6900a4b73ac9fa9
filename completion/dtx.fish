# SPDX-License-Identifier: BSD-2-Clause
#
# Completion of dtx for fish: options, files, and what is inside of a program.
# dtx --complete gives the candidates.

function __dtx_complete
    set -l before (commandline -opc)
    # The word without the quote that it begins with, and what a backslash stands for.
    set -l token (commandline -ct | string collect)
    set -l open (string match -r '^[\'"]' -- $token)
    set -l word (string replace -r '^[\'"]' '' -- $token | string collect)
    if test "$open" = '"'
        set word (string replace -ra '\\\\(["$\\\\])' '$1' -- $word | string collect)
    else if test "$open" = "'"
        set word (string replace -ra '\\\\([\'\\\\])' '$1' -- $word | string collect)
    else
        set word (string unescape -- $word | string collect)
    end
    set -l answer ($before[1] --complete -- $before[2..-1] "$word" 2>/dev/null)
    set -l kind (string split \t -- $answer[1])
    switch "$kind[1]"
        case words whole
            printf '%s\n' $answer[2..-1]
            # Of a part of a program there is more to come. fish closes the quote after the only candidate, but not with two.
            if test "$kind[1]" = words -a (count $answer) = 2 -a -n "$open"
                printf '%s \t\n' (string split -f 1 \t -- $answer[2])
            end
        case commands
            __fish_complete_command
        case '*'
            set -l kept (string sub -l (math (string length -- $word) - (string length -- "$kind[2]")) -- $word)
            __fish_complete_path "$kind[2]" | string replace -r '^' -- "$kept"
    end
end

complete -c dtx -f -a '(__dtx_complete)'
