// Rows of a `JSON…EachRow` answer as they arrive. The official client's own reader makes an object
// a row, and takes an exception that is cut by a chunk's border for an error without a code; so the
// raw answer is read here.
import type { Readable } from 'node:stream'

const NEWLINE = 0x0a
const EXCEPTION = '__exception__'

/** An exception that the server wrote after the first rows. */
export class StreamedException extends Error {
  readonly code: number

  constructor(text: string) {
    super(text)
    this.name = 'StreamedException'
    this.code = Number(/Code: (\d+)/.exec(text)?.[1] ?? 0)
  }
}

/** Batches of parsed rows, one a chunk. `tag`: of the header X-ClickHouse-Exception-Tag; '' from
 *  servers that have none. */
export async function* readRows<Row>(
  answer: Readable,
  tag: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): AsyncGenerator<Row[]> {
  const opening = Buffer.from(`\r\n${EXCEPTION}\r\n${tag}\r\n`)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of answer) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    // '\r' never stands in JSON: only an exception begins so, perhaps in the middle of a row.
    const exception = tag === '' ? -1 : bytes.indexOf(opening)
    const mayBegin = exception !== -1 || tag === '' ? exception : bytes.indexOf('\r\n')
    const cut = endOfLines(bytes, mayBegin === -1 ? bytes.length : mayBegin)
    rest = bytes.subarray(cut)
    if (cut > 0) yield parseLines<Row>(bytes.subarray(0, cut), encoding)
    if (exception !== -1)
      throw await readException(bytes.subarray(exception + opening.length), answer, tag)
  }
  const last = rest.toString('utf8').trim()
  if (last !== '') yield parseLines<Row>(rest, encoding)
}

function endOfLines(bytes: Buffer, before: number): number {
  return before === 0 ? 0 : bytes.lastIndexOf(NEWLINE, before - 1) + 1
}

function parseLines<Row>(lines: Buffer, encoding: 'utf8' | 'latin1'): Row[] {
  const text = lines.toString(encoding).trimEnd().replaceAll('\n', ',')
  return JSON.parse(`[${text}]`)
}

async function readException(
  begun: Buffer,
  answer: AsyncIterable<Buffer>,
  tag: string,
): Promise<StreamedException> {
  const closing = `${tag}\r\n${EXCEPTION}\r\n`
  let text = begun.toString('utf8')
  try {
    for await (const chunk of answer) {
      if (text.includes(closing)) break
      text += chunk.toString('utf8')
    }
  } catch {
    // The server cuts the connection after an exception.
  }
  return new StreamedException(text.slice(0, text.indexOf(closing)))
}
