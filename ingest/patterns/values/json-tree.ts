// The values of a JSON object as they are written: a double cannot hold every number.

/** The source of a value that is no object, or what an object has; of equal keys the last. */
export type JsonNode = string | ReadonlyMap<string, JsonNode>

/** Objects below stay text. */
const MAX_DEPTH = 16
const QUOTE = 34
const BACKSLASH = 92

/** undefined: no JSON, or no object. */
export function readJsonObject(text: string): ReadonlyMap<string, JsonNode> | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const node = new TreeReader(text).read()
  return typeof node === 'string' ? undefined : node
}

/** Of text that is JSON. */
class TreeReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(depth = 0): JsonNode {
    this.#passSpace()
    if (this.#text.charAt(this.#at) === '{' && depth < MAX_DEPTH) return this.#readObject(depth)
    const start = this.#at
    this.#passValue()
    return this.#text.slice(start, this.#at)
  }

  #readObject(depth: number): ReadonlyMap<string, JsonNode> {
    const text = this.#text
    const keys = new Map<string, JsonNode>()
    this.#at++
    for (;;) {
      this.#passSpace()
      const sign = text.charAt(this.#at)
      if (sign !== ',' && sign !== '"') {
        this.#at++
        return keys
      }
      if (sign === ',') {
        this.#at++
        this.#passSpace()
      }
      const start = this.#at
      this.#passString()
      const key: unknown = JSON.parse(text.slice(start, this.#at))
      this.#passSpace()
      this.#at++
      keys.set(String(key), this.read(depth + 1))
    }
  }

  #passValue(): void {
    const text = this.#text
    let open = 0
    for (; this.#at < text.length; this.#at++) {
      const sign = text.charAt(this.#at)
      if (sign === '"') {
        this.#passString()
        this.#at--
      } else if (sign === '{' || sign === '[') open++
      else if (open === 0 && /[,}\]\s]/.test(sign)) return
      else if (sign === '}' || sign === ']') open--
    }
  }

  /** From its quotation mark on. */
  #passString(): void {
    const text = this.#text
    for (this.#at++; text.charCodeAt(this.#at) !== QUOTE; this.#at++)
      if (text.charCodeAt(this.#at) === BACKSLASH) this.#at++
    this.#at++
  }

  #passSpace(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++
  }
}
