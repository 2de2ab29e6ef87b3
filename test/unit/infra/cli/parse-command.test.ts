import { describe, expect, it } from 'vitest'
import { parseCommand, UsageError } from '../../../../infra/cli/parse-command.ts'

describe('the command line', () => {
  it('reads each command', () => {
    expect(parseCommand(['start'])).toEqual({
      ...{ kind: 'start', isPatched: false },
      configFile: undefined,
    })
    expect(parseCommand(['start', '--patched'])).toMatchObject({ isPatched: true })
    expect(parseCommand(['--config', 'a.json', 'config'])).toEqual({
      kind: 'config',
      configFile: 'a.json',
    })
    expect(parseCommand(['role', 'front'])).toMatchObject({ kind: 'role', process: 'front' })
    expect(parseCommand(['portal', 'demo'])).toMatchObject({ action: 'demo', seed: 1 })
    expect(parseCommand(['portal', 'demo', '--seed', '42'])).toMatchObject({ seed: 42 })
    expect(parseCommand(['reset-password', 'admin'])).toMatchObject({ name: 'admin' })
    expect(parseCommand(['certificate', 'a', 'b'])).toMatchObject({ hosts: ['a', 'b'] })
    for (const words of [['help'], ['--help'], ['start', '-h']])
      expect(parseCommand(words).kind).toBe('help')
  })

  it.each([
    [[], 'a command is missing'],
    [['portal', 'init', '--seed', '2'], "only 'portal demo' takes --seed"],
    [['portal', 'demo', '--seed', 'x'], '--seed takes a whole number'],
    [['begin'], "there is no command 'begin'"],
    [['start', 'now'], "'start' takes no argument, 'now' was given"],
    [['role', 'gateway'], "there is no process 'gateway'"],
    [['reset-password'], "'reset-password' needs a user"],
    [['reset-token', 'a', 'b'], "takes one account, 'b' is too much"],
    [['start', '--port', '1'], "'--port'"],
    [['start', '--config'], '--config'],
  ])('refuses %j and shows the usage', (words, reason) => {
    expect(() => parseCommand(words)).toThrow(UsageError)
    expect(() => parseCommand(words)).toThrow(reason)
    expect(() => parseCommand(words)).toThrow('usage: logeye <command>')
  })
})
