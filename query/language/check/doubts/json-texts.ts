// A piece of JSON that is searched as a phrase: keys of JSON are columns, and no texts
// (search-language#words). Pure.
import { printColumn, printQuoted } from '../../print/print-words.ts'

const PAIR = /"([^"\\]{1,200})"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false)/
const LOOKS = /"\s*:|^\s*[{[]\s*["{[]/
const MAX_TESTS = 8

/** The tests that find what `text` says; undefined for what is no piece of JSON, '' where it tells
 *  no value. */
export function testsOfJson(text: string): string | undefined {
  if (!LOOKS.test(text)) return undefined
  const value = parse(text) ?? parse(`{${text.replace(/^[\s,]+|(?<![\s,])[\s,]+$/g, '')}}`)
  const pairs = value === undefined ? [] : flatten(value, '')
  const [, name, raw] = PAIR.exec(text) ?? []
  if (pairs.length === 0 && name !== undefined && raw !== undefined)
    return writeTest([name, parse(raw) ?? raw])
  return pairs.slice(0, MAX_TESTS).map(writeTest).join(' ')
}

type Scalar = string | number | boolean
type Pair = readonly [name: string, value: Scalar | unknown]

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function flatten(value: unknown, path: string): Pair[] {
  if (Array.isArray(value)) return value.flatMap((one) => flatten(one, path))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      flatten(inner, path === '' ? key : `${path}.${key}`),
    )
  return path === '' || value === null || value === '' ? [] : [[path, value]]
}

function writeTest([name, value]: Pair): string {
  const column = printColumn({ kind: 'column', name, origin: 'any', start: 0, end: 0 })
  return `${column} = ${typeof value === 'string' ? printQuoted(value) : String(value)}`
}
