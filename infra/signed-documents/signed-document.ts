// Documents of the maker: canonical JSON signed with Ed25519, as one text that survives pasting
// (docs/decisions/0049).
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { printCanonical } from '../../schemas/portal/canonical-json.ts'

const NAME = 'logeye-document'
const DOCUMENT = new RegExp(`${NAME}:([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]{86})`)
/** The space before the # holds no line end, or a text of many empty lines would take minutes. */
const HEADING = /^[^\S\r\n\u2028\u2029]*#.*$/gm
const LINE_CHARACTERS = 64
const EACH_LINE = new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')
const MAX_CHARACTERS = 100_000
/** Before the 32 bytes of a public key: SubjectPublicKeyInfo of Ed25519. */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32

export type Content = Readonly<Record<string, unknown>>

export type ReadDocument =
  | { readonly kind: 'signed'; readonly content: Content }
  | { readonly kind: 'refused'; readonly reason: string }

/** `heading`: for people; lines that begin with #. */
export function printDocument(
  content: Content,
  key: KeyObject,
  heading: readonly string[],
): string {
  const json = Buffer.from(printCanonical(content))
  const signature = sign(null, signedBytes(json), key)
  const text = `${NAME}:${json.toString('base64url')}.${signature.toString('base64url')}`
  const lines = text.match(EACH_LINE) ?? []
  return [...heading.map((line) => `# ${line}`), ...lines, ''].join('\n')
}

export function readDocument(text: string, trusted: KeyObject): ReadDocument {
  if (text.length > MAX_CHARACTERS) return refused('the text is too long')
  const bare = text.replace(HEADING, '').replace(/[\s>\u200b\ufeff]/g, '')
  const [, content, signature] = DOCUMENT.exec(bare) ?? []
  if (content === undefined || signature === undefined)
    return refused('the text holds no whole document')
  const json = Buffer.from(content, 'base64url')
  if (!verify(null, signedBytes(json), trusted, Buffer.from(signature, 'base64url')))
    return refused('it is damaged, or not signed by the maker')
  const parsed: unknown = JSON.parse(json.toString())
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return refused('it holds no object')
  return { kind: 'signed', content: { ...parsed } }
}

/** 32 bytes as base64; undefined: it is no such key. */
export function parsePublicKey(text: string): KeyObject | undefined {
  const raw = Buffer.from(text.trim(), 'base64')
  if (raw.length !== KEY_BYTES) return undefined
  const key = Buffer.concat([KEY_PREFIX, raw])
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

export function printPublicKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(KEY_PREFIX.length).toString('base64')
}

function signedBytes(json: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${NAME} 1\n`), json])
}

function refused(reason: string): ReadDocument {
  return { kind: 'refused', reason }
}
