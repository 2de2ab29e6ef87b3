// What differs from one message to the next: times, ids, numbers, quoted texts. A message in which
// each of them has given way to a mark is its shape. A mark is a control character, so that no
// later class takes it for text. Pure.

/** Kinds of what stands in a message in place of a mark. */
export type ShapeClass = {
  /** As people read it. */
  readonly name: string
  readonly mark: string
  /** RE2; also in the query that finds the shape again. */
  readonly regexp: string
}

/** Keys of JSON are no values: they stand between these while quoted texts are looked for. */
export const KEY_MARK = '\u0001'
export const KEY_REGEXP = String.raw`"([A-Za-z_][\w. -]*)"(\s*:)`
export const KEY_KEPT = `${KEY_MARK}\\1${KEY_MARK}\\2`

/** In the order in which they are looked for: each leaves less to the next. */
export const SHAPE_CLASSES: readonly ShapeClass[] = [
  { name: 'text', mark: '\u0002', regexp: String.raw`"(?:[^"\\]|\\.)*"` },
  { name: 'text', mark: '\u0003', regexp: String.raw`\B'[^'\n]*'\B` },
  {
    name: 'time',
    mark: '\u0004',
    regexp: String.raw`\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`,
  },
  {
    name: 'id',
    mark: '\u0005',
    regexp: '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}',
  },
  { name: 'mail', mark: '\u0006', regexp: String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+` },
  { name: 'path', mark: '\u0007', regexp: String.raw`(?:/[\w.@%+~-]+)(?:/[\w.@%+~-]+)+/?` },
  {
    name: 'hex',
    mark: '\u000e',
    regexp: String.raw`0[xX][0-9A-Fa-f]+|(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}|\b\d*[A-Fa-f][0-9A-Fa-f]{6,}\b`,
  },
  {
    name: 'id',
    mark: '\u000f',
    regexp: String.raw`[A-Za-z0-9]*\d[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*\d[A-Za-z0-9]*`,
  },
  { name: 'number', mark: '\u0010', regexp: String.raw`\d+(?:[.,:/-]\d+)*` },
]

/** More of a message says nothing of its shape. UTF-8 characters. */
export const SHAPE_CHARACTERS = 600

const BY_MARK = new Map(SHAPE_CLASSES.map((one) => [one.mark, one]))
const MAX_QUERY_CHARACTERS = 8000

/** `order <number> took <number>ms` */
export function printShape(shape: string): string {
  return [...shape].map((it) => nameOf(it) ?? it).join('')
}

/** A test that finds the messages of a shape: undefined where it would be too long. `isCut`: they
 *  go on behind it. */
export function queryOfShape(shape: string, isCut: boolean): string | undefined {
  const body = [...shape].map((it) => regexpOf(it) ?? escapeRegexp(it)).join('')
  const regexp = `^${body}${isCut ? '' : '$'}`
  const query = `message matches "${regexp.replace(/[\\"]/g, '\\$&')}"`
  return query.length > MAX_QUERY_CHARACTERS ? undefined : query
}

function nameOf(character: string): string | undefined {
  const found = BY_MARK.get(character)
  return found && `<${found.name}>`
}

function regexpOf(character: string): string | undefined {
  const found = BY_MARK.get(character)
  return found && `(?:${found.regexp})`
}

function escapeRegexp(character: string): string {
  return /[\\^$.*+?()[\]{}|]/.test(character) ? `\\${character}` : character
}
