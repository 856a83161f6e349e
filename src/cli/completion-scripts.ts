/** Scripts that call `devtool __complete` for candidates; when it has none, the shell offers files. */

const bash = `# bash completion of devtool
_devtool() {
  local IFS=$'\\n'
  COMPREPLY=($(devtool __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o bashdefault -o default -F _devtool devtool
`

const zsh = `#compdef devtool
# zsh completion of devtool
_devtool() {
  local -a candidates
  candidates=("\${(@f)$(devtool __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then
    compadd -S '' -- \${(M)candidates:#*=}
    compadd -- \${candidates:#*=}
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_devtool" ]; then _devtool "$@"; else compdef _devtool devtool; fi
`

const fish = `# fish completion of devtool
function __devtool_complete
    set -l words (commandline -opc)
    set -l candidates (devtool __complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c devtool -f -a '(__devtool_complete)'
`

const powershell = `# PowerShell completion of devtool
Register-ArgumentCompleter -Native -CommandName devtool -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or $_.Extent.Text -ne $wordToComplete } | ForEach-Object { $_.Extent.Text })
    if ($wordToComplete -eq '') { $words += '""' } else { $words += $wordToComplete }
    $words = @($words | ForEach-Object { if ($_ -eq '""') { '' } else { $_ } })
    devtool __complete -- @words 2>$null | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
`

export const completionScripts = { bash, zsh, fish, powershell } as const
