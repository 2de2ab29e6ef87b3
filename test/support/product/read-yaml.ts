// The part of YAML that our deployment files are written in: block and flow maps and lists, quoted and plain texts, `|`, anchors,
// aliases, merges. Whatever else stands there is refused, never guessed: a file that this reads means the same to every YAML reader.

export type Yaml = string | number | boolean | null | readonly Yaml[] | YamlMap
export type YamlMap = { readonly [key: string]: Yaml }

/** Throws Error with the line. */
export function readYaml(text: string): Yaml {
  return new BlockReader(text).read()
}

/** The value as a map; throws when it is something else. */
export function asMap(value: Yaml | undefined): YamlMap {
  if (typeof value === 'object' && value !== null && !isList(value)) return value
  throw new Error(`a map was expected, found ${JSON.stringify(value)}`)
}

/** Absent counts as empty. */
export function asList(value: Yaml | undefined): readonly Yaml[] {
  if (value === undefined) return []
  if (isList(value)) return value
  throw new Error(`a list was expected, found ${JSON.stringify(value)}`)
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value)
}

const KEY = /^("[^"]*"|'[^']*'|[^\s"'{}[\],#&*!|>%@`-][^:#]*?|<<)\s*:(?:\s+(.*))?$/

class BlockReader {
  readonly #lines: string[]
  readonly #anchors = new Map<string, Yaml>()
  #at = 0

  constructor(text: string) {
    this.#lines = text.split('\n')
  }

  read(): Yaml {
    const value = this.#block(0)
    this.#skip()
    if (this.#at < this.#lines.length) this.#fail('indentation')
    return value
  }

  /** The value that begins at the next line, which is indented by at least `least`. */
  #block(least: number): Yaml {
    this.#skip()
    const line = this.#lines[this.#at]
    if (line === undefined) return null
    const indent = indentOf(line)
    if (indent < least) return null
    return /^\s*-(\s|$)/.test(line) ? this.#list(indent) : this.#map(indent)
  }

  #list(indent: number): Yaml {
    const items: Yaml[] = []
    for (;;) {
      this.#skip()
      const line = this.#lines[this.#at]
      if (line === undefined || indentOf(line) !== indent || !/^\s*-(\s|$)/.test(line)) return items
      const rest = line.slice(indent + 1)
      const bare = withoutComment(rest).trim()
      if (KEY.test(bare) || bare === '') {
        // What follows the dash is the first line of the item's own block.
        this.#lines[this.#at] = `${' '.repeat(indent + 1)}${rest}`
        items.push(this.#block(indent + 1))
      } else {
        this.#at++
        items.push(this.#value(bare, indent + 1))
      }
    }
  }

  #map(indent: number): Yaml {
    const map: Record<string, Yaml> = {}
    const merged: YamlMap[] = []
    for (;;) {
      this.#skip()
      const line = this.#lines[this.#at]
      if (line === undefined || indentOf(line) < indent) break
      const match = KEY.exec(withoutComment(line).trim())
      if (indentOf(line) !== indent || match?.[1] === undefined) this.#fail('a key')
      this.#at++
      const key = unquote(match[1])
      const value = this.#value(match[2] ?? '', indent)
      if (key === '<<') merged.push(...(isList(value) ? value : [value]).map(asMap))
      else if (Object.hasOwn(map, key)) this.#fail(`the key ${key} a second time`)
      else map[key] = value
    }
    return Object.assign({}, ...merged.toReversed(), map)
  }

  /** `text` is what stands behind the key or dash; the value may go on below, deeper than `indent`. */
  #value(text: string, indent: number): Yaml {
    const anchor = /^&([\w-]+)\s*(.*)$/.exec(text)
    if (anchor?.[1] !== undefined) {
      const value = this.#value(anchor[2] ?? '', indent)
      this.#anchors.set(anchor[1], value)
      return value
    }
    if (text === '|') return this.#literal(indent)
    if (text !== '') return readFlow(text, this.#anchors, () => this.#fail('a value'))
    this.#skip()
    const next = this.#lines[this.#at] ?? ''
    const isListBelow = /^\s*- /.test(next) && indentOf(next) === indent
    return this.#block(isListBelow ? indent : indent + 1)
  }

  #literal(indent: number): string {
    const found: string[] = []
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] ?? ''
      if (line.trim() !== '' && indentOf(line) <= indent) break
      found.push(line)
    }
    const depth = Math.min(...found.filter((it) => it.trim() !== '').map(indentOf))
    return `${found
      .map((it) => it.slice(depth))
      .join('\n')
      .trimEnd()}\n`
  }

  #skip(): void {
    while (/^\s*(#.*)?$|^---$/.test(this.#lines[this.#at] ?? '-')) this.#at++
  }

  #fail(expected: string): never {
    throw new Error(`line ${this.#at + 1}: ${expected} was not expected or is missing`)
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** `#` begins a comment at the start or behind a space, outside quotes. */
function withoutComment(line: string): string {
  const kept = /^(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)['"#])*/.exec(line)?.[0] ?? line
  return kept.trimEnd()
}

function unquote(text: string): string {
  return text.startsWith('"') || text.startsWith("'") ? text.slice(1, -1) : text
}

function readFlow(text: string, anchors: ReadonlyMap<string, Yaml>, fail: () => never): Yaml {
  let at = 0
  const skip = (): void => {
    while (text[at] === ' ') at++
  }
  const value = (ends: RegExp): Yaml => {
    skip()
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text.slice(at))?.[0]
    if (quoted !== undefined) {
      at += quoted.length
      // Escapes of JSON are those of YAML that we use.
      return quoted.startsWith('"')
        ? String(JSON.parse(quoted))
        : quoted.slice(1, -1).replaceAll("''", "'")
    }
    if (text[at] === '[') return list()
    if (text[at] === '{') return map()
    const plain = ends.exec(text.slice(at))?.[0].trim() ?? ''
    if (plain === '' || /^[&!%@`|>]/.test(plain)) fail()
    at += plain.length
    if (!plain.startsWith('*')) return readPlain(plain)
    return anchors.get(plain.slice(1)) ?? fail()
  }
  const list = (): Yaml => {
    const items: Yaml[] = []
    at++
    for (skip(); text[at] !== ']'; skip()) {
      items.push(value(/^[^,\]}]*/))
      skip()
      if (text[at] === ',') at++
      else if (text[at] !== ']') fail()
    }
    at++
    return items
  }
  const map = (): Yaml => {
    const found: Record<string, Yaml> = {}
    let merged: YamlMap = {}
    at++
    for (skip(); text[at] !== '}'; skip()) {
      const key = String(value(/^[^,:\]}]*/))
      skip()
      if (text[at] !== ':') fail()
      at++
      const inner = value(/^[^,\]}]*/)
      if (key === '<<') merged = asMap(inner)
      else found[key] = inner
      skip()
      if (text[at] === ',') at++
      else if (text[at] !== '}') fail()
    }
    at++
    return { ...merged, ...found }
  }
  const result = value(/^.*/)
  if (text.slice(at).trim() !== '') fail()
  return result
}

function readPlain(text: string): Yaml {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null' || text === '~') return null
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text
}
