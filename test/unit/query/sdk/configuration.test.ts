// Configurations in YAML: whatever an argument holds comes back as it was, and globs of names.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withEnvironment } from '../../../../query/sdk/client/with-environment.ts'
import { checkObjects } from '../../../../query/sdk/configuration/check-objects.ts'
import { nameSecret, readReference } from '../../../../query/sdk/configuration/environment-names.ts'
import { matchNames } from '../../../../query/sdk/configuration/match-names.ts'
import { printConfiguration } from '../../../../query/sdk/configuration/print-configuration.ts'
import { readConfiguration } from '../../../../query/sdk/configuration/read-configuration.ts'
import { series } from '../../../support/run/tier.ts'

const ODD = [
  '~',
  'null',
  '',
  'no',
  '1e3',
  '007',
  '# a',
  '- a',
  '---',
  '...',
  '? a',
  '*a',
  '&a',
  '!a',
]
const text = fc.oneof(
  fc.constantFrom(
    ...ODD,
    'a: b',
    ' a',
    'a ',
    '"',
    "'",
    '@#@#',
    'a@#@#',
    '@#@# b@#@#c',
    '{}',
    '[a',
    '%',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((given) => Buffer.from(given).toString()),
)

describe('a configuration', () => {
  it('is read as it was printed, whatever its values are', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, filePaths: text, appTags: text })), (all) => {
        const objects = all.map((given) => ({ name: given.name, arguments: given }))
        const read = readConfiguration(printConfiguration(new Map([['log', objects]]), ['note']))
        expect(read.faults).toEqual([])
        expect(read.objects.map((it) => it.arguments)).toEqual(all)
        expect([...read.types]).toEqual(['log'])
      }),
      { numRuns: series(150, 500) },
    )
  })

  it('is never more than a fault, whatever is given', () => {
    const part = fc.oneof(text, fc.constantFrom('folder:\n', '  - name: ', '\n', '  ', '- ', ': '))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const { objects, faults } = readConfiguration(parts.join(''))
        for (const fault of faults) expect(fault).toMatch(/^line \d+: /)
        for (const { arguments: given } of objects)
          for (const value of Object.values(given)) expect(typeof value).toBe('string')
      }),
      { numRuns: series(170, 1000) },
    )
  })

  it('holds texts that look like a name of the environment, and the client asks for none of them', () => {
    const [asked, plain, twice] = ['$', '$$', '$$$'].map((sign) => `${sign}{env:HOME}`)
    if (asked === undefined) throw new Error('none')
    const objects = [{ name: asked, arguments: { name: asked, description: plain ?? '' } }]
    const file = printConfiguration(new Map([['folder', objects]]), [])
    expect(file).toContain(`name: ${plain}\n    description: ${twice}\n`)
    const given = (text: string) =>
      withEnvironment('apply', { file: text }, () => 'from the environment').environment
    expect(given(file)).toBe('{}')
    expect(given(`user: ${asked}`)).toBe('{"HOME":"from the environment"}')
    const { objects: read } = readConfiguration(file)
    const { steps } = checkObjects(read, {}, new Map())
    expect(steps).toMatchObject([{ action: 'make', given: objects[0]?.arguments }])
  })

  it('keeps scalars as they stand, and lists in the form of their argument', () => {
    const file =
      'log:\n  - name: 007\n    update: yes\n    description:\n    filePaths: [a, "b, c"]\n    appTags: [a, "b, c"]\n'
    expect(readConfiguration(file).objects).toEqual([
      {
        ...{ type: 'log', line: 2, lines: expect.objectContaining({ name: 2, appTags: 6 }) },
        arguments: {
          ...{ name: '007', update: 'yes', description: '' },
          ...{ filePaths: 'a@#@#b, c', appTags: '["a","b, c"]' },
        },
      },
    ])
    expect(readConfiguration('').objects).toEqual([])
    expect(readConfiguration('folder:\n').types).toEqual(new Set(['folder']))
    for (const [wrong, fault] of [
      ['[]', 'line 1: must name types of objects'],
      ['folder: x', 'line 1: below folder a list is expected'],
      ['folder:\n  - name: {a: b}', 'line 2: name must be a text or a list of texts'],
      ['a: &x 1\nb: *x', 'line 1: there is no type a; there are '],
      ['folder: *x', 'line 1: aliases are not read'],
      ['folder:\n\t- a', 'line 2: '],
      ['folder:\nlog:\nfolder:\n', 'line 3: the type folder stands in the file already'],
    ] as const)
      expect([wrong, readConfiguration(wrong).faults[0]]).toEqual([
        wrong,
        expect.stringContaining(fault),
      ])
  })

  it('keeps an argument whatever its name, so that none is passed over', () => {
    const { objects } = readConfiguration('user:\n  - userName: a\n    __proto__: b\n')
    expect(Object.entries(objects[0]?.arguments ?? {})).toEqual([
      ['userName', 'a'],
      ['__proto__', 'b'],
    ])
  })

  it('is read where it is all keys, each of them once', () => {
    // Half a minute where each key is compared with all others; the test's own limit is less.
    const keys = Array.from({ length: 30_000 }, (_, at) => `    k${at}: x\n`).join('')
    const { objects, faults } = readConfiguration(`folder:\n  - name: a\n${keys}`)
    expect([objects.length, faults]).toEqual([1, []])
    expect(Object.keys(objects[0]?.arguments ?? {})).toHaveLength(30_001)
  })

  it.each([
    // The first ends the process where the package may go on by itself.
    ['{', /^line 1: is nested deeper than 20 levels$/],
    ['[', /^line 1: is nested deeper than 20 levels$/],
    ['- ', /^line 1: is nested deeper than 20 levels$/],
    ['? ', /^line 1: is nested deeper than 20 levels$/],
    [':\n', /^line \d+: holds more than 300000 names, values and signs/],
    ['a: b\n', /^line \d+: holds more than 300000 /],
    ['%a\n', /^line \d+: holds more than 300000 /],
    ['\n', /^line \d+: holds more than 300000 /],
    ['"', /^line 1: holds more than 300000 /],
    ['] a\n', /^line 1: Unexpected /],
    ['---\n', /^line \d+: holds more than 300000 /],
    ['&a ', /^line 1: /],
  ])('stops where a file begins to be made of %j', (part, fault) => {
    const { objects, faults } = readConfiguration(part.repeat((768 * 1024) / part.length))
    expect(objects).toEqual([])
    expect(faults[0]).toMatch(fault)
    expect(faults.length).toBeLessThanOrEqual(100)
  })

  it('notes no traces of errors meanwhile, and does so again afterwards', () => {
    const before = Error.stackTraceLimit
    const { faults } = readConfiguration(`folder: "${'\\q'.repeat(300_000)}"\n`)
    expect(faults).toHaveLength(100)
    expect(Error.stackTraceLimit).toBe(before)
  })

  it('names secrets apart', () => {
    const taken = new Set<string>()
    expect(nameSecret(['user', 'ann.b', 'userPassword'], taken)).toBe(
      'LOGEYE_USER_ANN_B_USERPASSWORD',
    )
    expect(nameSecret(['user', 'ann-b', 'userPassword'], taken)).toBe(
      'LOGEYE_USER_ANN_B_USERPASSWORD_2',
    )
    expect(readReference(`\${env:A_1}`)).toBe('A_1')
    for (const none of ['{env:}', ' {env:A}', '{env:A}x', '{A}', '{env:1}'])
      expect(readReference(none.replace('{', '${'))).toBeUndefined()
  })
})

describe('a glob of names', () => {
  it('matches as its regular expression does', () => {
    const letter = fc.constantFrom('a', 'B', 'b', '*', '?', '.', '🦊')
    const word = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(word, word, (glob, name) => {
        const source = glob.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*')
        expect(matchNames(glob)(name)).toBe(new RegExp(`^${source}$`, 'iu').test(name))
      }),
      { numRuns: series(330, 2000) },
    )
  })
})
