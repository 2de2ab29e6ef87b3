// What stands between the quotation marks of a JSON string, without its escapes.
import type { ByteBuffer } from '../bytes/byte-buffer.ts'

const BACKSLASH = 92

/** The character for each letter after a backslash, 0 for none and for the odd ones: \u and \/. */
const UNESCAPED = new Uint8Array(256)
for (const [letter, character] of ['""', '\\\\', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  UNESCAPED[letter?.charCodeAt(0) ?? 0] = character?.charCodeAt(0) ?? 0
}

/** Adds the bytes `start` to `end` to `made`, without their escapes. False, and nothing added:
 *  there is no such escape, or an odd one. */
export function unescapeInto(
  made: ByteBuffer,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  made.reserve(end - start)
  const target = made.bytes
  let to = made.length
  for (let i = start; i < end; i++) {
    const code = bytes[i] ?? 0
    const character = code === BACKSLASH ? (UNESCAPED[bytes[++i] ?? 0] ?? 0) : code
    if (character === 0) return false
    target[to++] = character
  }
  made.length = to
  return true
}

/** null: no JSON string stands between these quotation marks. */
export function parseToken(token: string): string | null {
  try {
    return String(JSON.parse(token))
  } catch {
    return null
  }
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function replaceLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd')
}
