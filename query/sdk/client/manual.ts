// The reference manual docs/reference/sdk.md, printed from the published argument table; a test
// keeps the file current.

import type { EventPath } from '../../../schemas/rights/sees.ts'
import type { CommandEntry } from '../../../schemas/sdk/argument.ts'
import {
  CLIENT_COMMAND_NAMES,
  isClientCommandName,
  listArguments,
  publishedEntry,
  SDK_COMMAND_NAMES,
  SDK_COMMANDS,
} from '../../../schemas/sdk/commands.ts'
import { SETTING_NAMES, SETTINGS } from '../../../schemas/settings.ts'
import { OPERATION_TREE } from '../../../schemas/users.ts'
import { CLIENT_ARGUMENTS } from './arguments.ts'
import { EXIT_CODES } from './exit-codes.ts'

export function printManual(): string {
  return [
    INTRODUCTION,
    '## Arguments of the client',
    '',
    ...printTable(
      ['argument', 'value', 'meaning'],
      CLIENT_ARGUMENTS.map((one) => [code(`-${one.name}`), code(one.hint), one.description]),
    ),
    '## Exit codes',
    '',
    ...printTable(
      ['code', 'meaning'],
      Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning]),
    ),
    TRUST,
    COMPLETION,
    '## Commands',
    '',
    ...[...SDK_COMMAND_NAMES, ...CLIENT_COMMAND_NAMES].flatMap((name) => [
      `### ${name}`,
      '',
      publishedEntry(name).help,
      '',
      isClientCommandName(name)
        ? DONE_BY_CLIENT
        : `${describeRight(SDK_COMMANDS[name])} ${describeSight(SDK_COMMANDS[name])}`,
      '',
      ...printTable(
        ['argument', 'value', 'meaning'],
        listArguments(name).map((one) => [
          code(`-${one.name}`),
          code(one.hint),
          one.isRequired ? `required; ${one.description}` : one.description,
        ]),
      ),
    ]),
    '## Permission tree',
    '',
    PERMISSIONS,
    ...printTable(
      ['operation', 'allows'],
      Object.entries(OPERATION_TREE).map(([name, help]) => [code(name), help]),
    ),
    '## Settings',
    '',
    `Read and changed with ${code('-api settings')}.`,
    '',
    ...printTable(
      ['setting', 'default', 'meaning'],
      SETTING_NAMES.map((name) => [code(name), code(SETTINGS[name].default), SETTINGS[name].help]),
    ),
  ].join('\n')
}

function describeRight({ isDelegated, refusesTokens, ...entry }: CommandEntry): string {
  const needed = describeOperation(entry)
  const right =
    isDelegated === true ? `${needed.slice(0, -1)}, but for what is said above.` : needed
  if (refusesTokens === undefined) return right
  if (refusesTokens === true) return `${right} Not with an API token.`
  const names = refusesTokens.map((name) => code(`-${name}`)).join(', ')
  return `${right} Not with an API token where ${names} is given.`
}

/** Of administrators nothing is asked. */
function describeSight({ sees }: CommandEntry): string {
  switch (sees.kind) {
    case 'paths':
      return `Changes where events or alerts go (${sees.paths.map((path) => PATH_WORDS[path]).join(', ')}): needs the right to view those concerned, before and after the change.`
    case 'act':
      return 'Acts on events: needs the right to view those concerned, or to edit their log.'
    case 'objects':
      return 'Of events it needs what those commands need.'
    case 'nothing':
      return `Needs no right to view events: ${sees.because}.`
  }
}

const PATH_WORDS: Readonly<Record<EventPath, string>> = {
  listener: 'listener accounts',
  folder: 'folders',
  log: 'logs',
  task: 'tasks',
  template: 'templates',
  collectionPolicy: 'collection policies',
  account: 'accounts of the address book',
  monitor: 'monitors',
  report: 'reports',
  setting: 'settings of the audit log, the evidence and the portal',
}

function describeOperation({
  operation,
  otherOperation,
}: Pick<CommandEntry, 'operation' | 'otherOperation'>): string {
  const other = otherOperation === undefined ? '' : ` or ${code(otherOperation)}`
  if (operation === 'signed-in') return 'Any user may.'
  return operation === 'objects'
    ? 'Needs the operation of the command that makes such an object; folders and logs may be read by those who may view them.'
    : `Needs the operation ${code(operation)}${other}.`
}

const INTRODUCTION = `# logeye-sdk

<!-- Printed from schemas/sdk/commands.ts; write it anew with: LOGEYE_WRITE_MANUAL=1 npx vitest run --project unit test/unit/query/sdk/manual.test.ts -->

Configuration is written with this client only; nothing under \`/restapi\` writes. It is a Node program:
\`node dist/query/sdk/client/main.js\` where the product was built. \`npm link\` there makes it the command \`logeye-sdk\`.

\`\`\`sh
logeye-sdk -productURL https://localhost:30443/logeye -user admin -password <password> -api addListener -name web
\`\`\`

Arguments stand in any order. The word after a name is its value, whatever it looks like; only an argument with
\`true|false\` may stand alone, at the end or before another name, and then means \`true\`. An unknown argument is refused. The password may be left out: it is then
taken from \`LOGEYE_PASSWORD\`, asked for on the terminal without echo, or read from the first line of what is piped in.

Every command is audited: who, when, what (without secrets) and with which result.
`

const DONE_BY_CLIENT = 'Done by the client itself; it is not audited.'

const TRUST = `## HTTPS

A file \`.keystore\` beside the client, or the one that \`-keystore\` names, says which certificates are trusted beside those of
Node. It is PEM, or a PKCS#12 trust store with AES as keytool (Java 17) and openssl 3 write it:

\`\`\`sh
keytool -importcert -alias logeye -file certificate.pem -storetype PKCS12 -keystore .keystore
\`\`\`

\`-insecure\` takes any certificate, and the client says so each time.
`

const COMPLETION = `## Completion

The shell completes commands, their arguments and the values that are one of a few; it asks no product:

\`\`\`sh
eval "$(logeye-sdk -completion bash)"      # in ~/.bashrc
eval "$(logeye-sdk -completion zsh)"       # in ~/.zshrc, after compinit
logeye-sdk -completion fish | source       # in ~/.config/fish/config.fish
\`\`\`
`

const PERMISSIONS = `What a policy can choose with \`-api securityPolicies -operations\`. To choose a parent is to choose all below it. A policy that
chooses nothing lets view folders and logs, and nothing else. Where a user may view and edit, \`setPermissions\` says.
`

function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), '']
}

/** A pipe would end the cell. */
function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``
}
