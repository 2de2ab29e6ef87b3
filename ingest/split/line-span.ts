// How the writer tells a line of text from a value of JSON (decision 2.10): the range of a line
// holds its LF (listener/scan-lines.ts), that of a value ends with the value. So the block needs no
// further field, and blocks of every release are read alike.

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Where the line in body[start, end) ends, without its line end; undefined: it is no line but
 *  JSON. */
export function lineEnd(body: Uint8Array, start: number, end: number): number | undefined {
  if (end <= start || body[end - 1] !== NEWLINE) return undefined
  const last = end - 1
  return last > start && body[last - 1] === CARRIAGE_RETURN ? last - 1 : last
}
