// How the text of a file is written: where its lines end, and how they become UTF-8.

/** Bytes at the begin of a file that say it. */
export const SNIFFED_BYTES = 4096
const LF = 0x0a

export interface TextForm {
  readonly name: string
  /** Behind the last line end in `bytes`; 0 without one. */
  endOfLines(bytes: Buffer): number
  /** Behind the line end with this number, from 1. */
  endOfLine(bytes: Buffer, number: number): number
  /** UTF-8; `bytes` are whole lines, or the end of the file. */
  toUtf8(bytes: Buffer): Buffer
}

/** `head`: the first bytes of the file; a byte order mark goes before `charSet`. undefined: it is
 *  no text. */
export function textFormOf(head: Buffer, charSet: string | null): TextForm | undefined {
  const marked = markOf(head)
  if (marked !== undefined) return marked
  const name = new TextDecoder(charSet ?? 'utf-8').encoding
  if (name === 'utf-16le' || name === 'utf-16be') return new Utf16(name)
  if (head.subarray(0, SNIFFED_BYTES).includes(0)) return undefined
  return name === 'utf-8' ? UTF8 : new OneByteLines(name)
}

function markOf(head: Buffer): TextForm | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return new Utf16('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return new Utf16('utf-16be')
  return undefined
}

/** Of all but UTF-16 a line ends with the byte 0x0A, which stands nowhere else. */
class OneByteLines implements TextForm {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  endOfLines(bytes: Buffer): number {
    return bytes.lastIndexOf(LF) + 1
  }

  endOfLine(bytes: Buffer, number: number): number {
    let at = 0
    for (let count = 0; count < number; count += 1) {
      const found = bytes.indexOf(LF, at)
      if (found < 0) return bytes.length
      at = found + 1
    }
    return at
  }

  toUtf8(bytes: Buffer): Buffer {
    return this.name === 'utf-8' ? bytes : Buffer.from(new TextDecoder(this.name).decode(bytes))
  }
}

const UTF8 = new OneByteLines('utf-8')

class Utf16 implements TextForm {
  readonly name: 'utf-16le' | 'utf-16be'
  readonly #low: number

  constructor(name: 'utf-16le' | 'utf-16be') {
    this.name = name
    this.#low = name === 'utf-16le' ? 0 : 1
  }

  endOfLines(bytes: Buffer): number {
    for (let at = bytes.length - (bytes.length % 2) - 2; at >= 0; at -= 2)
      if (this.#isEnd(bytes, at)) return at + 2
    return 0
  }

  endOfLine(bytes: Buffer, number: number): number {
    let count = 0
    for (let at = 0; at + 1 < bytes.length; at += 2)
      if (this.#isEnd(bytes, at) && ++count === number) return at + 2
    return bytes.length
  }

  /** TextDecoder drops the byte order mark. */
  toUtf8(bytes: Buffer): Buffer {
    return Buffer.from(new TextDecoder(this.name).decode(bytes))
  }

  #isEnd(bytes: Buffer, at: number): boolean {
    return bytes[at + this.#low] === LF && bytes[at + 1 - this.#low] === 0
  }
}
