import { describe, expect, it } from 'vitest'
import {
  describeFault,
  listArguments,
  SDK_COMMAND_NAMES,
  SDK_COMMANDS,
  type SdkCommandName,
} from '../../../../schemas/sdk/commands.ts'

function parse(command: SdkCommandName, given: Record<string, string>) {
  const parsed = SDK_COMMANDS[command].input.safeParse(given)
  if (parsed.success) return parsed.data
  const { argument, reason } = describeFault(given, parsed.error)
  return `-${argument}: ${reason}`
}

describe('addListener', () => {
  it('reads every setting of the account', () => {
    const input = {
      name: ' Edge ',
      update: 'true',
      description: 'd',
      enabled: 'false',
      parentFolder: 'ROOT->Web -> Edge',
      collectionPolicy: 'Default',
      appTags: 'a, b,,',
      logNamePrefix: ' p ',
      splitBySource: 'create log by unique ip/host name',
      ipMask: '255.255.240.0',
      ipMaskV6: '/48',
      messageKeys: '["a,b","c"]',
      splitColumns: 'env->kubernetes.pod -> host*',
      timeKey: 'when',
      timeZone: 'Europe/Berlin',
      jsonParsingLevel: '0',
    }
    expect(parse('addListener', input)).toEqual({
      name: 'Edge',
      update: true,
      description: 'd',
      enabled: false,
      parentFolder: ['Web', 'Edge'],
      collectionPolicy: 'Default',
      appTags: ['a', 'b'],
      logNamePrefix: 'p',
      splitBySource: 'source',
      ipMask: 20,
      ipMaskV6: 48,
      messageKeys: ['a,b', 'c'],
      splitColumns: [
        { key: 'env', isHost: false },
        { key: 'kubernetes.pod', isHost: false },
        { key: 'host', isHost: true },
      ],
      timeKey: 'when',
      timeZone: 'Europe/Berlin',
      jsonParsingLevel: 0,
    })
  })

  it('gives nothing that was not given, so that -update leaves the rest', () => {
    expect(parse('addListener', { name: 'x' })).toEqual({ name: 'x' })
  })

  it('takes the words of the manual and their short forms for the source split', () => {
    const forms = {
      none: 'Do Not Split',
      source: 'Create Log by Unique IP/Host Name',
      mask: 'Create Log by IP Mask',
    }
    for (const [short, long] of Object.entries(forms))
      for (const splitBySource of [short, long])
        expect(parse('addListener', { name: 'x', splitBySource })).toMatchObject({
          splitBySource: short,
        })
  })

  it.each([
    [{}, '-name: is missing'],
    [{ name: '' }, '-name: must not be empty'],
    [{ name: 'a\u0000' }, '-name: must hold no control character'],
    [{ name: 'x', nope: '1' }, '-nope: is not an argument of this command'],
    [{ name: 'x', enabled: 'yes' }, '-enabled: must be true or false'],
    [{ name: 'x', parentFolder: '' }, '-parentFolder: must name a folder below the root'],
    [
      { name: 'x', parentFolder: 'System->a' },
      '-parentFolder: the folder System is not for listeners',
    ],
    [{ name: 'x', parentFolder: 'a->' }, '-parentFolder: "" is not a folder name'],
    [{ name: 'x', parentFolder: 'a|b' }, '-parentFolder: "a|b" is not a folder name'],
    [
      { name: 'x', parentFolder: Array(21).fill('a').join('->') },
      '-parentFolder: must have at most 20 levels',
    ],
    [
      { name: 'x', splitBySource: 'both' },
      '-splitBySource: must be Do Not Split (none), Create Log by Unique IP/Host Name (source) or Create Log by IP Mask (mask)',
    ],
    [{ name: 'x', ipMask: '33' }, '-ipMask: must be 0 to 32, or a mask such as 255.255.255.0'],
    [
      { name: 'x', ipMask: '255.0.255.0' },
      '-ipMask: must be 0 to 32, or a mask such as 255.255.255.0',
    ],
    [{ name: 'x', ipMaskV6: '129' }, '-ipMaskV6: must be 0 to 128'],
    [{ name: 'x', splitColumns: 'a*->b*' }, '-splitColumns: only one key may be the host'],
    [{ name: 'x', splitColumns: 'a->->b' }, '-splitColumns: a key is empty'],
    [{ name: 'x', splitColumns: 'a->a' }, '-splitColumns: a key is given twice'],
    [
      { name: 'x', timeZone: 'Berlin' },
      '-timeZone: must be an IANA time zone such as Europe/Berlin',
    ],
    [{ name: 'x', jsonParsingLevel: '-1' }, '-jsonParsingLevel: must be a whole number'],
    [
      { name: 'x', logNamePrefix: 'a->b' },
      '-logNamePrefix: must hold no ->, | or @#@#, and no character that changes the direction of text',
    ],
  ])('refuses %j', (given, reason) => {
    expect(parse('addListener', given)).toBe(reason)
  })

  it('refuses with the reason what can have no effect in this system', () => {
    for (const argument of ['dataLocation', 'indexingNode', 'indexingInterval'])
      expect(parse('addListener', { name: 'x', [argument]: 'y' })).toMatch(
        new RegExp(
          `^-${argument}: (every writer indexes|received data lies|events are indexed all the time)`,
        ),
      )
  })
})

describe('the other commands', () => {
  it.each([
    ['enableAccount', { name: 'x' }, '-enabled: is missing'],
    ['securityUsers', { action: 'add', userName: 'u' }, '-userPassword: is missing'],
    [
      'securityUsers',
      { action: 'add', userName: 'u', userPassword: 'short' },
      '-userPassword: must have at least 8 characters',
    ],
    [
      'securityUsers',
      { action: 'add', userName: 'a:b', userPassword: 'long enough' },
      '-userName: must hold no colon',
    ],
    ['securityUsers', { action: 'drop', userName: 'u' }, '-action: must be add, edit or remove'],
    [
      'setPermissions',
      { path: 'a', type: 'folder' },
      '-viewGroups: a list of groups or users, or -inherit, is needed',
    ],
    [
      'setPermissions',
      { path: 'a', type: 'folder', inherit: 'true', viewUsers: 'u' },
      '-inherit: not together with -viewGroups or -viewUsers',
    ],
    ['setPermissions', { path: 'ROOT', type: 'log', viewUsers: 'u' }, '-path: names no log'],
    ['settings', {}, '-list: nothing to do is given'],
    ['settings', { list: 'false' }, '-list: nothing to do is given'],
    ['settings', { get: 'nope' }, '-get: there is no such setting'],
    ['settings', { reset: 'nope' }, '-reset: there is no such setting'],
    [
      'settings',
      { reset: 'system.timeZone', timeZone: 'UTC' },
      '-reset: not together with a new value of the same setting',
    ],
    ['settings', { set: 'system.timeZone' }, '-set: must be <name>=<value> of a setting'],
    [
      'settings',
      { set: 'system.timeZone=Mars/Base' },
      '-set: must be an IANA time zone such as Europe/Berlin',
    ],
    [
      'settings',
      { set: 'system.dateFormat=HH:mm' },
      '-set: must be a date pattern with year, month, day, hour, minute and second',
    ],
    ['settings', { set: 'widgets.searchAPI.maxNumOfRecords=0' }, '-set: must be from 1 to 1000000'],
    ['settings', { agentMode: 'true' }, '-agentMode: this system has no agent mode'],
    ['settings', { httpPort: '70000' }, '-httpPort: must be from 1 to 65535'],
  ] as const)('%s refuses %j', (command, given, reason) => {
    expect(parse(command, given)).toBe(reason)
  })

  it('reads a path from the root with and without ROOT', () => {
    for (const path of ['Web->Edge', 'ROOT->Web->Edge'])
      expect(parse('setPermissions', { path, type: 'log', viewGroups: '' })).toMatchObject({
        path: ['Web', 'Edge'],
        viewGroups: [],
      })
  })

  it('keeps what follows the first = of a setting', () => {
    expect(parse('settings', { set: "system.dateFormat=yyyy-MM-dd'='HH:mm:ss" })).toEqual({
      set: { name: 'system.dateFormat', value: "yyyy-MM-dd'='HH:mm:ss" },
    })
  })
})

describe('the published table', () => {
  it('describes every argument of every command', () => {
    for (const command of SDK_COMMAND_NAMES) {
      const published = listArguments(command)
      const { target } = SDK_COMMANDS[command]
      for (const one of published) {
        expect(one.description, `${command} -${one.name}`).not.toBe('')
        expect(one.hint, `${command} -${one.name}`).not.toBe('')
      }
      // '': of a command that acts on no one thing.
      expect(['', ...published.map((one) => one.name)]).toContain(target)
    }
  })

  it('marks what is required', () => {
    const required = (command: SdkCommandName) =>
      listArguments(command)
        .filter((one) => one.isRequired)
        .map((one) => one.name)
    expect(required('addListener')).toEqual(['name'])
    expect(required('enableAccount')).toEqual(['name', 'enabled'])
    expect(required('securityUsers')).toEqual(['action', 'userName'])
    expect(required('settings')).toEqual([])
  })
})
