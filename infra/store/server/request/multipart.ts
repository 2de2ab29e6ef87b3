// `multipart/form-data` as the official client sends it: text parts with a name, between random
// boundaries.
import { EngineError } from '../engine-error.ts'

/** Name -> value of each part. */
export function parseMultipart(body: Buffer, contentType: string): Map<string, string> {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) throw malformed()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter has no line end before it.
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  const parts = new Map<string, string>()
  let at = whole.indexOf(delimiter)
  while (at !== -1) {
    const start = at + delimiter.length
    if (whole.subarray(start, start + 2).equals(Buffer.from('--'))) return parts
    const next = whole.indexOf(delimiter, start)
    if (next === -1) break
    const headEnd = whole.indexOf('\r\n\r\n', start)
    if (headEnd === -1 || headEnd > next) break
    const name = /name="([^"]*)"/i.exec(whole.toString('utf8', start, headEnd))?.[1]
    if (name === undefined) break
    parts.set(name, whole.toString('utf8', headEnd + 4, next))
    at = next
  }
  throw malformed()
}

function malformed(): EngineError {
  return new EngineError(36, 'The multipart body is malformed', 'BAD_ARGUMENTS')
}
