// A command of the SDK is one file in schemas/sdk/ or a folder there, and one of the same path in
// query/sdk/commands/.
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../../query/sdk/server/commands.ts'
import { SDK_COMMAND_NAMES, SDK_COMMANDS } from '../../../../schemas/sdk/commands.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** Of schemas/sdk/: what the commands have in common. */
const SHARED = [
  'import-file.ts',
  'account.ts',
  'argument.ts',
  'book-account.ts',
  'commands.ts',
  'monitors/monitor-arguments.ts',
  'object-arguments.ts',
  'policy-values.ts',
  'sample.ts',
  'tag-values.ts',
  'task-values.ts',
  'time-frame-value.ts',
  'values.ts',
  'retention/legal-hold.ts',
]

function fileOf(command: string): string {
  return `${command.replace(/[A-Z]+(?![a-z])|[A-Z]/g, (part) => `-${part.toLowerCase()}`)}.ts`
}

const filesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !SHARED.includes(file))
    .sort()

describe('a command of the SDK', () => {
  const published = filesOf('schemas/sdk')

  it('has a file in schemas/sdk and one of the same path in query/sdk/commands', () => {
    expect(published.map((file) => basename(file)).sort()).toEqual(
      SDK_COMMAND_NAMES.map(fileOf).sort(),
    )
    expect(filesOf('query/sdk/commands')).toEqual(published)
  })

  it.each(SDK_COMMAND_NAMES)('says in both that it is %s', async (name) => {
    expect(SDK_COMMANDS[name].name).toBe(name)
    expect(COMMANDS[name].name).toBe(name)
    const file = published.find((path) => basename(path) === fileOf(name)) ?? ''
    const entry = await import(join(ROOT, 'schemas/sdk', file))
    const served = await import(join(ROOT, 'query/sdk/commands', file))
    expect({ ...entry }).toEqual({ [name]: SDK_COMMANDS[name] })
    expect({ ...served }).toEqual({ [name]: COMMANDS[name] })
  })
})
