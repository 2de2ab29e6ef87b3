import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { printHelp } from '../../../../query/sdk/client/help.ts'
import { printManual } from '../../../../query/sdk/client/manual.ts'
import { listArguments, SDK_COMMAND_NAMES } from '../../../../schemas/sdk/commands.ts'

const MANUAL = 'docs/reference/sdk.md'

describe('the manual of the SDK', () => {
  it('is what the argument table says', () => {
    if (process.env.LOGEYE_WRITE_MANUAL === '1') writeFileSync(MANUAL, printManual())
    expect(readFileSync(MANUAL, 'utf8')).toBe(printManual())
  })

  it('and the help name every command and every argument', () => {
    const manual = printManual()
    const help = printHelp(undefined)
    for (const command of SDK_COMMAND_NAMES) {
      expect(manual).toContain(`### ${command}\n`)
      expect(help).toContain(`\n  ${command}\n`)
      for (const { name } of listArguments(command)) {
        expect(manual).toContain(`| \`-${name}\` |`)
        expect(printHelp(command)).toContain(`\n  -${name} `)
      }
    }
  })
})
