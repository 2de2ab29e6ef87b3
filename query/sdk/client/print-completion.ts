// Scripts by which a shell completes commands, their arguments and the values that are one of a
// few, from the published argument table. They ask nobody: no product, no file.
import {
  CLIENT_COMMAND_NAMES,
  listArguments,
  publishedEntry,
  SDK_COMMAND_NAMES,
} from '../../../schemas/sdk/commands.ts'
import { CLIENT_ARGUMENTS, type Shell } from './arguments.ts'

type Completed = {
  readonly name: string
  readonly description: string
  readonly isFlag: boolean
  /** What may stand after it; [] for any text. */
  readonly values: readonly string[]
  readonly isFile: boolean
}

/** `add|edit|remove`, but no sample of a text. */
const CHOICES = /^[A-Za-z][A-Za-z0-9]*(?:\|[A-Za-z][A-Za-z0-9]*)+$/
const COMMANDS = [...SDK_COMMAND_NAMES, ...CLIENT_COMMAND_NAMES]

export function printCompletion(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return printBash()
    case 'zsh':
      return printZsh()
    case 'fish':
      return printFish()
  }
}

function complete(argument: {
  readonly name: string
  readonly description: string
  readonly hint: string
  readonly isFlag?: boolean | undefined
  readonly isFile?: boolean | undefined
}): Completed {
  const { name, description, hint, isFlag = false } = argument
  const choices = CHOICES.test(hint) ? hint.split('|') : []
  const values = name === 'api' ? COMMANDS : choices
  const isFile = argument.isFile === true || /^<[^>]*\bfile\b/.test(hint)
  return { name, description, isFlag, values, isFile }
}

const OWN = CLIENT_ARGUMENTS.map(complete)
const TABLE = COMMANDS.map((name) => ({
  name,
  help: publishedEntry(name).help,
  own: listArguments(name).map(complete),
}))

/** The lines of a shell's `case` that say what stands after an argument. */
function valueCases(
  print: (values: string) => string,
  files: string,
  { isOver }: { readonly isOver: string },
): string[] {
  const lines = (command: string, list: readonly Completed[]) =>
    list.flatMap(({ name, values, isFile, isFlag }) => {
      const at = `    ${command}:-${name})`
      if (isFile) return [`${at} ${files} ;;`]
      if (values.length > 0) return [`${at} ${print(values.join(' '))}${isFlag ? '' : isOver} ;;`]
      return isFlag ? [] : [`${at} ${isOver.replace(/^; /, '')} ;;`]
    })
  return [...lines('*', OWN), ...TABLE.flatMap(({ name, own }) => lines(name, own))]
}

function argumentCases(print: (words: string) => string): string[] {
  const words = (list: readonly Completed[]) => list.map(({ name }) => `-${name}`).join(' ')
  return TABLE.map(({ name, own }) => `    ${name}) ${print(words(own))} ;;`)
}

const OWN_WORDS = OWN.map(({ name }) => `-${name}`).join(' ')

/** What stands in the line already is not offered: the client refuses it twice. */
function printBash(): string {
  return [
    '# Completion of logeye-sdk in bash. Load it with: eval "$(logeye-sdk -completion bash)"',
    '_logeye_sdk() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"`,
    "  local command='' words='' given=' ' one at",
    '  for ((at = 1; at < COMP_CWORD; at++)); do',
    `    given+="\${COMP_WORDS[at]} "`,
    `    [[ \${COMP_WORDS[at]} == -api ]] && command="\${COMP_WORDS[at+1]}"`,
    '  done',
    '  COMPREPLY=()',
    '  case "$command:$before" in',
    ...valueCases((values) => `words='${values}'`, 'compopt -o default; return', {
      isOver: '; COMPREPLY=($(compgen -W "$words" -- "$word")); return',
    }),
    '  esac',
    '  case "$command" in',
    ...argumentCases((words) => `words+=' ${words}'`),
    '  esac',
    `  for one in $words ${OWN_WORDS}; do`,
    '    [[ $given == *" $one "* ]] || COMPREPLY+=("$one")',
    '  done',
    `  COMPREPLY=($(compgen -W "\${COMPREPLY[*]}" -- "$word"))`,
    '}',
    'complete -F _logeye_sdk logeye-sdk',
    '',
  ].join('\n')
}

function printZsh(): string {
  return [
    '#compdef logeye-sdk',
    '# Completion of logeye-sdk in zsh. Load it with: eval "$(logeye-sdk -completion zsh)"',
    '_logeye_sdk() {',
    `  local command='' before="\${words[CURRENT-1]}" at one`,
    '  local -a offered free',
    '  for ((at = 2; at < CURRENT; at++)); do',
    `    [[ \${words[at]} == -api ]] && command="\${words[at+1]}"`,
    '  done',
    '  case "$command:$before" in',
    ...valueCases((values) => `offered=(${values})`, '_files; return', {
      isOver: '; compadd -- $offered; return',
    }),
    '  esac',
    '  case "$command" in',
    ...argumentCases((words) => `offered+=(${words})`),
    '  esac',
    `  offered+=(${OWN_WORDS})`,
    '  for one in $offered; do',
    `    (( \${words[(Ie)$one]} )) || free+=("$one")`,
    '  done',
    '  compadd -- $free',
    '}',
    'compdef _logeye_sdk logeye-sdk',
    '',
  ].join('\n')
}

function printFish(): string {
  const line = (condition: string, { name, description, isFlag, values, isFile }: Completed) =>
    [
      'complete -c logeye-sdk',
      condition,
      `-o ${name}`,
      isFile ? '-r -F' : isFlag ? '-f' : '-x',
      values.length > 0 ? `-a ${quote(values.join(' '))}` : '',
      `-d ${quote(description)}`,
    ]
      .filter((part) => part !== '')
      .join(' ')
  return [
    '# Completion of logeye-sdk in fish. Load it with: logeye-sdk -completion fish | source',
    'complete -c logeye-sdk -f',
    ...OWN.map((one) => line('', one)),
    ...TABLE.flatMap(({ name, own }) =>
      own.map((one) => line(`-n '__fish_seen_subcommand_from ${name}'`, one)),
    ),
    '',
  ].join('\n')
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
