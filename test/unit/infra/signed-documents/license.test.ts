import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { lookAtLicense } from '../../../../infra/signed-documents/license.ts'
import { printServerKey } from '../../../../infra/signed-documents/server-key.ts'
import {
  parsePublicKey,
  printDocument,
  printPublicKey,
  readDocument,
} from '../../../../infra/signed-documents/signed-document.ts'
import { printCanonical } from '../../../../schemas/portal/canonical-json.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519').privateKey
const key = createPublicKey(privateKey)
const serverKey = printServerKey(Buffer.alloc(32, 7))
const nowMs = Date.parse('2026-06-01T00:00:00Z')
const around = { trusted: { key, isBuiltIn: true }, serverKey, nowMs }
const CONTENT = {
  type: 'license',
  id: 'l-1',
  name: 'Größe & Söhne',
  serverKey,
  volumeBytesPerDay: 1e10,
  features: ['a'],
  begin: '2026-01-01T00:00:00Z',
  end: '2027-01-01T00:00:00Z',
}
const print = (content: object = CONTENT, by = privateKey) =>
  printDocument({ ...content }, by, ['Logeye licence', 'of somebody'])

describe('a signed document', () => {
  it('is the same with keys in any order', () => {
    expect(printCanonical({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    )
  })

  it.each([
    ['as it was written', (text: string) => text],
    ['in one line', (text: string) => text.replace(/^#.*\n/gm, '').replaceAll('\n', '')],
    ['with line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with spaces and tabs', (text: string) => text.replaceAll('\n', ' \t\n   ')],
    ['as quoted mail', (text: string) => text.replace(/^#.*\n/gm, '').replaceAll(/^/gm, '> ')],
    ['wrapped anew', (text: string) => text.replace(/(?<!^#.*)(.{17})/gm, '$1\n')],
    ['with words around it', (text: string) => `Hello,\n\n${text}\n-- \nthe maker`],
    ['with a mark of the byte order', (text: string) => `\ufeff${text}`],
  ])('survives being pasted %s', (_, paste) => {
    expect(lookAtLicense(paste(print()), around)).toMatchObject({ state: 'active' })
  })

  it('is refused when any character of it is another', () => {
    const text = print()
      .replace(/^#.*\n/gm, '')
      .replaceAll('\n', '')
    for (let at = 'logeye-document:'.length; at < text.length; at += 3) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
      // The last character of 86 has bits that mean nothing.
      if (at < text.length - 1) expect(readDocument(changed, key).kind, `${at}`).toBe('refused')
    }
    for (const cut of [text.slice(0, -1), text.slice(0, 100), '', 'x'.repeat(200_000)])
      expect(readDocument(cut, key).kind).toBe('refused')
  })

  it('is looked for in time that grows with the text, also where that is empty lines', {
    timeout: 30_000,
  }, () => {
    for (const lines of ['\n', '\r\n', ' \n', '\u2028'])
      expect(readDocument(lines.repeat(99_000 / lines.length), key).kind).toBe('refused')
  })

  it('is of the key that signed it alone', () => {
    expect(readDocument(print(CONTENT, other), key)).toMatchObject({
      reason: 'it is damaged, or not signed by the maker',
    })
    expect(parsePublicKey(printPublicKey(key))?.equals(key)).toBe(true)
    expect(parsePublicKey('AAAA')).toBeUndefined()
  })
})

describe('a licence', () => {
  it('says what it is', () => {
    const { license, warning } = lookAtLicense(print(), around)
    expect(license).toMatchObject({
      name: 'Größe & Söhne',
      volumeBytesPerDay: 1e10,
      features: ['a'],
    })
    expect(warning).toBeUndefined()
  })

  it.each([
    [{ end: '2026-05-31T00:00:00Z' }, 'ended', 'the licence ended at 2026-05-31T00:00:00.000Z'],
    [{ end: '2026-06-03T00:00:00Z' }, 'ending', 'ends in 2 days'],
    [{ begin: '2026-06-03T00:00:00Z' }, 'not begun', 'begins at 2026-06-03'],
    [{ serverKey: 'AAAAA' }, 'refused', `for the server key AAAAA, this one is ${serverKey}`],
    [{ type: 'entitlement' }, 'refused', 'it is no licence'],
    [{ volumeBytesPerDay: 'much' }, 'refused', 'of a form that this version does not know'],
  ])('with %o is %s', (change, state, warning) => {
    const look = lookAtLicense(print({ ...CONTENT, ...change }), around)
    expect(look.state).toBe(state)
    expect(look.warning).toContain(warning)
  })

  it('is none where none is installed', () => {
    expect(lookAtLicense(undefined, around)).toMatchObject({ state: 'none', warning: undefined })
  })
})
