// A command of the SDK is one file in schemas/sdk/ and one of the same name in query/sdk/commands/.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../../query/sdk/server/commands.ts'
import { SDK_COMMAND_NAMES, SDK_COMMANDS } from '../../../../schemas/sdk/commands.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** Of schemas/sdk/: what the commands have in common. */
const SHARED = ['account.ts', 'argument.ts', 'commands.ts', 'sample.ts', 'values.ts']

function fileOf(command: string): string {
  return `${command.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
}

describe('a command of the SDK', () => {
  const files = SDK_COMMAND_NAMES.map(fileOf).sort()

  it('has a file in schemas/sdk and one in query/sdk/commands', () => {
    const published = readdirSync(join(ROOT, 'schemas/sdk')).filter((it) => !SHARED.includes(it))
    expect(published.sort()).toEqual(files)
    expect(readdirSync(join(ROOT, 'query/sdk/commands')).sort()).toEqual(files)
  })

  it.each(SDK_COMMAND_NAMES)('says in both that it is %s', async (name) => {
    expect(SDK_COMMANDS[name].name).toBe(name)
    expect(COMMANDS[name].name).toBe(name)
    const published = await import(join(ROOT, 'schemas/sdk', fileOf(name)))
    const served = await import(join(ROOT, 'query/sdk/commands', fileOf(name)))
    expect({ ...published }).toEqual({ [name]: SDK_COMMANDS[name] })
    expect({ ...served }).toEqual({ [name]: COMMANDS[name] })
  })
})
