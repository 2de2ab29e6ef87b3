// -completion: the scripts for shells. That of bash is run in a bash, as Tab runs it.
import { describe, expect, it } from 'vitest'
import { CLIENT_ARGUMENTS, parseArguments } from '../../../../query/sdk/client/arguments.ts'
import { printCompletion } from '../../../../query/sdk/client/print-completion.ts'
import {
  CLIENT_COMMAND_NAMES,
  listArguments,
  SDK_COMMAND_NAMES,
} from '../../../../schemas/sdk/commands.ts'
import { missing } from '../../../support/run/missing.ts'
import { spawnSync } from '../../../support/run/run-sync.ts'
import { describeUnless } from '../../../support/run/skip.ts'

const COMMANDS = [...SDK_COMMAND_NAMES, ...CLIENT_COMMAND_NAMES]

/** What bash offers at the end of each of these lines. */
function offers(lines: readonly (readonly string[])[]): string[][] {
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
  const calls = lines.map((words) =>
    [
      `COMP_WORDS=(logeye-sdk ${words.map(quote).join(' ')})`,
      `COMP_CWORD=${words.length}`,
      '_logeye_sdk',
      `echo "\${COMPREPLY[*]}"`,
    ].join('; '),
  )
  const script = [printCompletion('bash'), 'complete -p logeye-sdk', ...calls].join('\n')
  const ran = spawnSync('bash', ['--norc', '-u'], { input: script, encoding: 'utf8' })
  expect([ran.status, ran.stderr]).toEqual([0, ''])
  const [known = '', ...answers] = ran.stdout.trimEnd().split('\n')
  expect(known).toContain('_logeye_sdk')
  expect(answers).toHaveLength(lines.length)
  return answers.map((line) => line.split(' ').filter((word) => word !== ''))
}

const isBashHere = () => spawnSync('bash', ['--version']).error === undefined

describeUnless(missing(isBashHere, 'bash'), 'completion in bash', () => {
  it('offers the arguments of the client, and every command after -api', () => {
    const [own, commands, some] = offers([[''], ['-api', ''], ['-user', 'a', '-api', 'addF']])
    expect(own).toEqual(CLIENT_ARGUMENTS.map(({ name }) => `-${name}`))
    expect(commands).toEqual(COMMANDS)
    expect(some).toEqual(['addFolder'])
  })

  it('offers the arguments of each command, without those that are there', () => {
    const lines = COMMANDS.map((name) => ['-api', name, '-'])
    for (const [at, offered] of offers(lines).entries()) {
      const name = COMMANDS[at]
      if (name === undefined) throw new Error('no command')
      const expected = [...listArguments(name), ...CLIENT_ARGUMENTS].map((one) => `-${one.name}`)
      expect([name, ...offered]).toEqual([name, ...expected.filter((word) => word !== '-api')])
    }
    const [given, begun] = offers([
      ['-api', 'addFolder', '-name', 'x', '-'],
      ['-output', 'json', '-api', 'addLog', '-pa'],
    ])
    expect(given).not.toContain('-name')
    expect(given).toContain('-parentFolder')
    expect(begun).toEqual(['-parentFolder', '-pattern', '-password'])
  })

  it('offers the values that are one of a few, and nothing for a free text', () => {
    expect(
      offers([
        ['-output', ''],
        ['-api', 'securityUsers', '-action', ''],
        ['-api', 'setPermissions', '-type', 'l'],
        ['-api', 'addFolder', '-name', ''],
        ['-password', '-'],
        ['-api', 'nonsense', '-name', ''],
      ]),
    ).toEqual([
      ['json', 'text'],
      ['add', 'edit', 'remove'],
      ['log'],
      [],
      [],
      CLIENT_ARGUMENTS.map(({ name }) => `-${name}`).filter((word) => word !== '-api'),
    ])
    const [flag] = offers([['-api', 'addTemplate', '-update', '']])
    expect(flag?.slice(0, 2)).toEqual(['true', 'false'])
    expect(flag).toContain('-name')
  })
})

describe('completion', () => {
  it.each(['zsh', 'fish'] as const)('names every command and argument for %s', (shell) => {
    const script = printCompletion(shell)
    const mark = shell === 'zsh' ? '-' : '-o '
    for (const name of COMMANDS) {
      expect(script).toContain(name)
      for (const one of listArguments(name)) expect(script).toContain(`${mark}${one.name}`)
    }
    for (const { name } of CLIENT_ARGUMENTS) expect(script).toContain(`${mark}${name}`)
  })

  it('is printed for a shell that is known', () => {
    expect(parseArguments(['-completion', 'fish'])).toEqual({ kind: 'completion', shell: 'fish' })
    expect(parseArguments(['-completion', 'csh'])).toEqual({
      kind: 'wrong',
      reason: '-completion: must be bash, zsh, fish',
    })
  })
})
