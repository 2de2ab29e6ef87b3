import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../../query/sdk/client/arguments.ts'

const PRODUCT = ['-productURL', 'https://h:30443/logeye', '-user', 'u', '-password', 'p']
const wrong = (reason: string) => ({ kind: 'wrong', reason })

describe('parseArguments', () => {
  it('reads client and command arguments in any order', () => {
    const words = [
      '-name',
      'x',
      ...PRODUCT,
      '-api',
      'enableAccount',
      '-output',
      'json',
      '-enabled',
      'false',
      '-timeout',
      '5',
    ]
    expect(parseArguments(words)).toEqual({
      kind: 'call',
      url: new URL('https://h:30443/logeye/sdk/'),
      command: 'enableAccount',
      commandArguments: { name: 'x', enabled: 'false' },
      user: 'u',
      password: 'p',
      token: undefined,
      signInCode: undefined,
      output: 'json',
      keystore: undefined,
      keystorePassword: undefined,
      isInsecure: false,
      timeoutMs: 5000,
    })
  })

  it('takes a value that looks like a name, or is empty, as it is', () => {
    for (const password of ['-api', '-help', '', '-'])
      expect(
        parseArguments([
          ...['-productURL', 'http://h/logeye/', '-password', password],
          ...['-api', 'removeAccount', '-name', '-x'],
        ]),
      ).toMatchObject({ kind: 'call', password, commandArguments: { name: '-x' } })
  })

  it('lets flags stand alone, before another argument and at the end', () => {
    const words = [...PRODUCT, '-insecure', '-api', 'settings', '-list']
    expect(parseArguments(words)).toMatchObject({
      isInsecure: true,
      commandArguments: { list: 'true' },
    })
    expect(
      parseArguments([...PRODUCT, '-insecure', 'false', '-api', 'settings', '-list', 'true']),
    ).toMatchObject({
      isInsecure: false,
    })
  })

  it('takes the word after a flag as its value, whatever it is', () => {
    const settings = [...PRODUCT, '-api', 'settings', '-security', 'maybe']
    expect(parseArguments(settings)).toEqual(wrong('-security: must be true or false'))
    const inherit = ['-path', 'Web', '-type', 'folder', '-inherit', 'view']
    expect(parseArguments([...PRODUCT, '-api', 'setPermissions', ...inherit])).toMatchObject({
      commandArguments: { inherit: 'view' },
    })
  })

  it('gives help on the client, on a command, and none on what does not exist', () => {
    expect(parseArguments(['-help'])).toEqual({ kind: 'help', command: undefined })
    expect(parseArguments(['-help', '-api', 'settings'])).toEqual({
      kind: 'help',
      command: 'settings',
    })
    expect(parseArguments(['-api', 'addListener', '-help'])).toEqual({
      kind: 'help',
      command: 'addListener',
    })
    expect(parseArguments(['-api', 'nope', '-help'])).toEqual(
      wrong('there is no command nope, see -help'),
    )
  })

  it.each([
    [[], '-api is missing'],
    [['x'], '"x" is not an argument: names begin with -'],
    [['-api'], '-api: its value is missing'],
    [['-api', 'nope'], 'there is no command nope, see -help'],
    [['-api', 'removeAccount', '-name', 'x'], '-productURL is missing'],
    [
      ['-productURL', 'h', '-api', 'settings'],
      '-productURL: must be http(s)://<host>:<port>/logeye',
    ],
    [
      ['-productURL', 'ftp://h/logeye', '-api', 'settings'],
      '-productURL: must begin with http:// or https://',
    ],
    [['-productURL', 'http://h/', '-api', 'settings'], '-productURL: must end with /logeye'],
    [
      ['-productURL', 'http://a:b@h/logeye', '-api', 'settings'],
      '-productURL: holds credentials, give -user and -password',
    ],
    [[...PRODUCT, '-user', 'v', '-api', 'settings'], '-user stands twice'],
    [[...PRODUCT, '-api', 'removeAccount'], '-name: is missing'],
    [
      [...PRODUCT, '-api', 'removeAccount', '-name', 'x', '-force', 'y'],
      '-force: is not an argument of this command',
    ],
    [[...PRODUCT, '-api', 'settings', '-list', '-output', 'xml'], '-output: must be json or text'],
    [
      [...PRODUCT, '-api', 'settings', '-list', '-timeout', '0'],
      '-timeout: must be 1 to 600 seconds',
    ],
  ])('refuses %j', (words, reason) => {
    expect(parseArguments(words)).toEqual(wrong(reason))
  })
})
