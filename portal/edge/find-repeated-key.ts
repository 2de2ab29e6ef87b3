// A key that an object of a JSON text has twice: JSON.parse takes the last in silence, others the
// first (RFC 8259, section 4), so what was meant is not known.

/** The end of each key, and of what looks like one inside a text. */
const KEY_END = /"\s*:/g
/** A text, or what structures the rest. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],]/gs

type Open = {
  /** Of an object. */
  readonly keys: Set<string> | undefined
  /** Key or index of the value that is read. */
  at: string | number
  isKeyNext: boolean
}

/** `given`: what JSON.parse makes of `text`. A pointer (RFC 6901) to the first one; undefined:
 *  none. */
export function findRepeatedKey(text: string, given: unknown): string | undefined {
  const most = text.match(KEY_END)?.length ?? 0
  return most === countKeys(given) ? undefined : walk(text)
}

/** Without recursion: a body may be deeper than the stack. */
function countKeys(value: unknown): number {
  const left = [value]
  let count = 0
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null) continue
    const inner: unknown[] = Object.values(one)
    if (!Array.isArray(one)) count += inner.length
    for (const each of inner) if (typeof each === 'object') left.push(each)
  }
  return count
}

function walk(text: string): string | undefined {
  const open: Open[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1)
    if (token === '{') open.push({ keys: new Set(), at: '', isKeyNext: true })
    else if (token === '[') open.push({ keys: undefined, at: 0, isKeyNext: false })
    else if (token === '}' || token === ']') open.pop()
    else if (inner === undefined) return undefined
    else if (token !== ',') {
      if (!inner.isKeyNext || inner.keys === undefined) continue
      const key = readKey(token)
      inner.at = key
      inner.isKeyNext = false
      if (inner.keys.has(key)) return open.map(({ at }) => `/${escapePart(at)}`).join('')
      inner.keys.add(key)
    } else if (inner.keys !== undefined) inner.isKeyNext = true
    else if (typeof inner.at === 'number') inner.at += 1
  }
  return undefined
}

function readKey(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1)
}

function escapePart(part: string | number): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1')
}
