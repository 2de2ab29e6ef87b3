// What rules of masking make of an event: by examples, and by random events in which values were
// planted in every spelling that JSON has.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Masker } from '../../../../ingest/mask/masker.ts'
import { DETECTORS, parseMaskRule } from '../../../../schemas/masking/mask-rule.ts'
import { letters, maskerOf, maskJson } from '../../../support/ingest/masked.ts'
import { series } from '../../../support/run/tier.ts'

const ALL = [
  ...['hash email', 'replace *** card', 'hash ipv4', 'hash ipv6', 'cut bearer', 'hash iban'],
  ...['hash phone', 'hash pattern KD-{digit:6}', 'cut column user.password', 'hash column secret'],
]
const MAIL = letters('bob@example.com')

describe('a masked event', () => {
  it.each([
    ['in a text', '{"m":"mail bob@example.com now"}', `{"m":"mail ${MAIL} now"}`],
    ['written by escapes', '{"m":"\\u0062ob\\u0040Example.com"}', `{"m":"${MAIL}"}`],
    [
      'in JSON within a text',
      '{"m":"{\\"e\\":\\"bob\\\\u0040example.com\\"}"}',
      `{"m":"{\\"e\\":\\"${MAIL}\\"}"}`,
    ],
    ['in an address', '{"u":"/x?e=bob%40example.com&y=1"}', `{"u":"/x?e=${MAIL}&y=1"}`],
    ['in a key', '{"bob@example.com":1}', `{"${MAIL}":1}`],
    ['in an array', '{"a":[["bob@example.com"]]}', `{"a":[["${MAIL}"]]}`],
    ['after a line end', '{"m":"to\\nbob@example.com\\n"}', `{"m":"to\\n${MAIL}\\n"}`],
    ['as a number', '{"n":4111111111111111}', '{"n":"***"}'],
    ['as a number with an exponent', '{"n":4.111111111111111e15}', '{"n":"***"}'],
    ['in groups, before a date', '{"n":"4111 1111 1111 1111 12/27"}', '{"n":"*** 12/27"}'],
    ['after an escape', '{"n":"\\t4111-1111-1111-1111"}', '{"n":"\\t***"}'],
    ['without its check digit', '{"n":"4111 1111 1111 1112"}', undefined],
    ['of no issuer', '{"n":1764052807123456}', undefined],
    ['an address with a port', '{"m":"10.1.2.3:80"}', `{"m":"${letters('10.1.2.3')}:80"}`],
    ['no address', '{"m":"v1.2.3.4.5 and 300.1.1.1 at 12:30:45"}', undefined],
    ['an IPv6 address', '{"m":"[2001:DB8::1]:443"}', `{"m":"[${letters('2001:db8::1')}]:443"}`],
    [
      'an IPv6 address after a word',
      '{"m":"from:2001:db8::1."}',
      `{"m":"from:${letters('2001:db8::1')}."}`,
    ],
    [
      'a bearer token',
      '{"h":"authorization: bearer abc.def-123"}',
      '{"h":"authorization: bearer "}',
    ],
    [
      'an IBAN',
      '{"i":"DE89 3704 0044 0532 0130 00"}',
      `{"i":"${letters('DE89370400440532013000')}"}`,
    ],
    ['an IBAN with a wrong check', '{"i":"DE89370400440532013001"}', undefined],
    [
      'a telephone number',
      '{"p":"call +49 (30) 123-4567!"}',
      `{"p":"call ${letters('49301234567')}!"}`,
    ],
    [
      'a number of ours',
      '{"m":"KD-123456, KD-1234567"}',
      `{"m":"${letters('KD-123456')}, KD-1234567"}`,
    ],
    ['a member', '{"user":{"password":"x","z":1},"b":2}', '{"user":{"z":1},"b":2}'],
    ['the last member', '{"user":{"z":1 , "password" : {"a":[1]}}}', '{"user":{"z":1 }}'],
    ['all members', '{"user":{"PASSWORD":1}}', '{"user":{}}'],
    ['a member of another', '{"password":"x"}', undefined],
    [
      'a column at any depth',
      '{"a":[{"secret":{"b":1}}]}',
      `{"a":[{"secret":"${letters('{"b":1}')}"}]}`,
    ],
    ['a key written by escapes', '{"\\u0073ecret":true}', `{"\\u0073ecret":"${letters('true')}"}`],
  ])('%s', (_, event, wanted) => {
    expect(maskJson(maskerOf(ALL), event)).toBe(wanted)
    if (wanted !== undefined) JSON.parse(wanted)
  })

  it('is masked once: its hashes stay', () => {
    const masker = maskerOf(['hash email', 'hash column secret'])
    const event = '{"secret":"x","m":"bob@example.com"}'
    const once = Buffer.from(maskJson(masker, event) ?? '')
    const again = { start: 0, end: once.length, kind: 'json' as const }
    expect(masker.mask(once, again, { keepsHashes: true })?.toString() ?? String(once)).toBe(
      String(once),
    )
  })

  it('hides what is behind the name of a hidden column of no JSON', () => {
    const bytes = Buffer.from('{"user": "a", "Secret":"x" 10.0.0.1 and more')
    const masked = maskerOf(ALL).mask(bytes, { start: 0, end: bytes.length, kind: 'broken' })
    expect(String(masked)).toMatch(/^\{"user": "a", "Secreth_[a-p]{16}$/)
  })

  it('has nothing of planted values, and all else as it was', () => {
    const masker = maskerOf(['replace # email', 'replace # card', 'replace # ipv4'])
    const secrets = ['ann.lee+x@mail.example.org', '5555555555554444', '192.168.77.5']
    const plain = fc.string({ unit: fc.constantFrom(...'ab \n"\\é{}[]:,/🦊') })
    const leaf = fc.oneof(
      plain,
      fc.integer({ min: -999, max: 999 }),
      fc.constant(null),
      fc.constant(true),
    )
    const planted = fc.tuple(plain, fc.constantFrom(...secrets), plain)
    const value = fc.oneof(
      leaf.map((it) => [it, it] as const),
      planted.map(([a, secret, b]) => [`${a} ${secret} ${b}`, `${a} # ${b}`] as const),
    )
    const event = fc.dictionary(fc.string({ unit: fc.constantFrom(...'kxyz\\"é') }), value)
    fc.assert(
      fc.property(event, fc.integer({ min: 0, max: 3 }), (given, how) => {
        const pick = (at: 0 | 1) =>
          Object.fromEntries(Object.entries(given).map(([name, pair]) => [name, pair[at]]))
        const text = spell(JSON.stringify(pick(0)), how)
        const masked = maskJson(masker, text) ?? text
        expect(JSON.parse(masked)).toEqual(pick(1))
      }),
      { numRuns: series(150, 500) },
    )
  })
})

describe('a rule', () => {
  it.each([
    ['hash email', undefined],
    ['replace a"b email', 'replace must be followed by'],
    ['hide email', 'must begin with hash, cut or replace'],
    ['hash nothing', 'must name one of'],
    ['hash pattern {digit:x}', 'pattern has at 1 no'],
    ['hash pattern {letter:1-2}', 'takes less than 3'],
    ['hash pattern {letter:200}', 'takes more than 128'],
    ['hash column', 'must be followed by the name'],
  ])('%s', (rule, fault) => {
    const parsed = parseMaskRule(rule)
    if (fault === undefined) expect(typeof parsed).toBe('object')
    else expect(parsed).toContain(fault)
  })

  it('takes steps that grow with the length, whatever it is', () => {
    const masker = new Masker(
      [parseMaskRule('hash pattern {alnum:1-60}-{alnum:1-60}X')].filter(
        (it) => typeof it !== 'string',
      ),
      (text) => createHash('md5').update(text).digest('hex'),
    )
    const long = Buffer.from(JSON.stringify({ m: 'a-'.repeat(200_000) }))
    expect(masker.mask(long, { start: 0, end: long.length, kind: 'json' })).toBeUndefined()
  })
})

it.each(['a@', 'eyJ-', 'eyJ.', '1.1.', '::', '1:', 'ab:12:', '4 1', '+1 ', 'DE12 ', 'bearer '])(
  'detectors end for a long text of %s',
  (unit) => {
    const masker = new Masker(
      DETECTORS.map(
        (detector) =>
          ({ action: { kind: 'cut' }, target: { kind: 'detector', detector } }) as const,
      ),
      (text) => text,
    )
    // A time that grows with the square of it, or thousands of steps for each byte, would be longer
    // than a test may take.
    const long = Buffer.from(JSON.stringify({ m: unit.repeat(600_000) }))
    const masked = masker.mask(long, { start: 0, end: long.length, kind: 'json' })
    expect(masked?.length ?? 0).toBeLessThanOrEqual(long.length)
  },
)

/** The same JSON in another spelling: each character, or signs alone, by its escape. */
function spell(json: string, how: number): string {
  if (how === 0) return json
  const which = [/[@.5]/g, /[a-z@0-9]/g, /[@]/g][how - 1] ?? /x/g
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/\\.|[^\\]/g, (it) => {
      if (it.length > 1 || !it.match(which)) return it
      return `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`
    }),
  )
}
