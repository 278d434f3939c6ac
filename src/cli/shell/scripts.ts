import type { SHELLS } from './kinds.ts'

/**
 * What each shell is told to complete `recollect` by. All of them ask `recollect __complete` with the words typed so
 * far, which answers a value, a tab and what it is for each line; `:files` and `:folders` leave it to the shell.
 */
export const COMPLETION: Record<(typeof SHELLS)[number], string> = {
  bash: `# Completion of recollect for bash. To load it in every shell, add to ~/.bashrc:
#   source <(recollect completion bash)
_recollect() {
  local current=\${COMP_WORDS[COMP_CWORD]} word value about known=0
  local -a words values abouts
  words=() values=() abouts=() COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    word=\${word#[\\"\\']}
    words+=("\${word//\\\\/}")
  done
  [ "$current" = '=' ] && current=''
  while IFS=$'\\t' read -r value about; do
    case $value in
      :files) compopt -o filenames 2>/dev/null; COMPREPLY=($(IFS=$'\\n'; compgen -f -- "$current")); return ;;
      :folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(IFS=$'\\n'; compgen -d -- "$current")); return ;;
      '') continue ;;
    esac
    values+=("$value") abouts+=("$about") known=$((known + 1))
  done < <(command recollect __complete "\${words[@]}" 2>/dev/null)
  compopt -o nosort 2>/dev/null
  local i quoted
  for ((i = 0; i < known; i++)); do
    case $current in
      [\\"\\']*) quoted=\${values[i]} ;;
      *) printf -v quoted %q "\${values[i]}" ;;
    esac
    # What a value is stands behind it while there are several; the one that is left is inserted alone.
    if [ $known -gt 1 ] && [ -n "\${abouts[i]}" ] && [ "$COMP_TYPE" != 37 ] && [ "$COMP_TYPE" != 42 ]; then
      quoted="$quoted  (\${abouts[i]})"
    fi
    COMPREPLY+=("$quoted")
  done
}
complete -F _recollect recollect
`,
  zsh: `#compdef recollect
# Completion of recollect for zsh. To load it in every shell, add to ~/.zshrc, below compinit:
#   source <(recollect completion zsh)
_recollect() {
  local line value
  local -a given values shown
  given=("\${(@Q)words[2,CURRENT]}")
  for line in "\${(@f)$(command recollect __complete "\${given[@]}" 2>/dev/null)}"; do
    value=\${line%%$'\\t'*}
    case $value in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      '') continue ;;
    esac
    values+=("$value")
    if [[ $line == *$'\\t'?* ]]; then shown+=("$value -- \${line#*$'\\t'}"); else shown+=("$value"); fi
  done
  (( \${#values} )) && compadd -V recollect -l -d shown -a values
}
if [[ $funcstack[1] == _recollect ]]; then
  _recollect "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _recollect recollect
fi
`,
  fish: `# Completion of recollect for fish. To load it in every shell:
#   recollect completion fish > ~/.config/fish/completions/recollect.fish
function __recollect_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command recollect __complete $words[2..-1] "$current" 2>/dev/null)
    switch "$found[1]"
        case ':files'
            __fish_complete_path "$current"
        case ':folders'
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $found
    end
end
complete -c recollect -f -k -a '(__recollect_complete)'
`,
  powershell: `# Completion of recollect for PowerShell. To load it in every shell, add to the file that $PROFILE names:
#   recollect completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName recollect -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object {
      # Without their quotes. Other kinds have no value, and asking for it fails under Set-StrictMode.
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
  $begun = $wordToComplete.Trim('"', "'")
  # Older PowerShells leave out an empty argument.
  $asked = @(if ($begun -eq '') { @('--empty') + $words } else { $words + $begun })
  & recollect __complete @asked 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if ($value -eq '' -or $value.StartsWith(':')) { return }
    $text = if ($value -match '^[\\w.:/\\\\=+-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
    $tip = if ($about) { $about } else { $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $tip)
  }
}
`,
}

export const BINDING_KEYS = ['ctrl-r', 'alt-r'] as const
type BindingKey = (typeof BINDING_KEYS)[number]

/** What makes a key of the shell open `recollect pick`. What is chosen is put on the line, and never run. */
export const BINDING: Record<'bash' | 'zsh' | 'fish', (key: BindingKey) => string> = {
  bash: (
    key,
  ) => `# A key of bash (4 or newer) that finds a command or a request in your chats. Add to ~/.bashrc:
#   eval "$(recollect init bash)"
_recollect_pick() {
  local found
  found=$(command recollect pick -- "$READLINE_LINE" </dev/tty 2>/dev/tty) || return 0
  READLINE_LINE=$found
  READLINE_POINT=\${#found}
}
bind -m emacs-standard -x '"${READLINE[key]}": _recollect_pick'
bind -m vi-insert -x '"${READLINE[key]}": _recollect_pick'
`,
  zsh: (key) => `# A key of zsh that finds a command or a request in your chats. Add to ~/.zshrc:
#   eval "$(recollect init zsh)"
_recollect_pick() {
  local found
  found=$(command recollect pick -- "$BUFFER" </dev/tty 2>/dev/tty) && [[ -n $found ]] && BUFFER=$found CURSOR=\${#found}
  zle reset-prompt
}
zle -N _recollect_pick
bindkey -M emacs '${ZLE[key]}' _recollect_pick
bindkey -M viins '${ZLE[key]}' _recollect_pick
`,
  fish: (
    key,
  ) => `# A key of fish that finds a command or a request in your chats. Add to ~/.config/fish/config.fish:
#   recollect init fish | source
function _recollect_pick
    set -l found (command recollect pick -- (commandline | string collect) </dev/tty 2>/dev/tty | string collect)
    test -n "$found"; and commandline -r -- $found
    commandline -f repaint
end
bind ${FISH[key]} _recollect_pick
bind -M insert ${FISH[key]} _recollect_pick
`,
}

const READLINE: Record<BindingKey, string> = { 'ctrl-r': '\\C-r', 'alt-r': '\\er' }
const ZLE: Record<BindingKey, string> = { 'ctrl-r': '^R', 'alt-r': '^[r' }
const FISH: Record<BindingKey, string> = { 'ctrl-r': '\\cr', 'alt-r': '\\er' }
