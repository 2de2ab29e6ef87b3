// A second, slow implementation of what splitting stores of an object event, on top of JSON.parse:
// message, columns, rest and ids (decisions 3.6 and 3.8). Only for events without duplicate keys;
// numbers are taken by a reviver with their text.

export type NaiveResult = {
  readonly message: string | null
  /** Values as [kind, text]. */
  readonly columns: ReadonlyMap<string, readonly [string, string]>
  /** Values of `rest`, sorted. */
  readonly rest: readonly string[]
}

export type NaiveOptions = {
  readonly messageKeys: readonly string[]
  readonly levels: number
  /** Keys that become no columns, but stay in rest: the time's and the reserved ones. */
  readonly skippedKeys: readonly string[]
}

/** A number with its text, which JSON.parse would lose. */
class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = null | boolean | string | NumberText | Value[] | Map<string, Value>

export function splitNaively(text: string, options: NaiveOptions): NaiveResult {
  const event = parse(text)
  if (!(event instanceof Map)) throw new Error('not an object')
  const columns = new Map<string, readonly [string, string]>()
  const rest: string[] = []
  const messageKey = options.messageKeys.find((key) => {
    const value = event.get(key)
    return typeof value === 'string' || typeof value === 'boolean' || value instanceof NumberText
  })
  const visit = (value: Value, name: string, depth: number) => {
    if (depth === 1 && name === messageKey) return
    if (value instanceof Map && depth < options.levels && !isReserved(name, depth)) {
      for (const [key, inner] of value) visit(inner, `${name}.${key}`, depth + 1)
      return
    }
    const isColumn = !(depth === 1 && options.skippedKeys.includes(name)) && options.levels > 0
    if (isColumn) {
      const column = columnOf(value)
      if (column !== null) columns.set(name, column)
      if (column?.[0] === 'id') return
    }
    rest.push(...leaves(value))
  }
  for (const [key, value] of event) visit(value, key, 1)
  const message = messageKey === undefined ? null : plainText(event.get(messageKey) ?? null)
  return { message, columns, rest: rest.sort() }
}

function isReserved(name: string, depth: number): boolean {
  return depth === 1 && ['productPath', 'productName', 'productType'].includes(name)
}

function plainText(value: Value): string {
  if (value instanceof NumberText) return value.text
  return typeof value === 'string' ? wellFormed(value) : String(value)
}

function columnOf(value: Value): readonly [string, string] | null {
  if (value === null || value === '') return null
  if (typeof value === 'boolean') return ['bool', String(value)]
  if (typeof value === 'string') {
    const text = wellFormed(value)
    return [/^[0-9a-fA-F-]{16,}$/.test(text) ? 'id' : 'text', text]
  }
  if (value instanceof NumberText) {
    const number = Number(value.text)
    const isShortest = Number.isFinite(number) && String(number) === value.text
    return [isShortest ? 'number' : 'exactNumber', value.text]
  }
  const isEmpty = value instanceof Map ? value.size === 0 : value.length === 0
  return isEmpty ? null : ['json', print(value)]
}

/** Every value at any depth, as text. */
function leaves(value: Value): string[] {
  if (value === null || value === '') return []
  if (Array.isArray(value)) return value.flatMap(leaves)
  if (value instanceof Map) return [...value.values()].flatMap(leaves)
  return [plainText(value).replaceAll('\x1f', ' ')]
}

/** What JSON text means, without white space; for comparing blobs. */
function print(value: Value): string {
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (value instanceof Map) {
    return `{${[...value].map(([key, inner]) => `${JSON.stringify(key)}:${print(inner)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

/** JSON text as splitNaively prints it. */
export function printJson(text: string): string {
  return print(parse(text))
}

function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

/** Numbers become strings with a mark before JSON.parse sees them. */
function parse(text: string): Value {
  const mark = '\ue000number:'
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(mark + token),
  )
  return convert(JSON.parse(marked), mark)
}

function convert(value: unknown, mark: string): Value {
  if (typeof value === 'string') {
    return value.startsWith(mark) ? new NumberText(value.slice(mark.length)) : value
  }
  if (Array.isArray(value)) return value.map((inner) => convert(inner, mark))
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, inner]) => [key, convert(inner, mark)]))
  }
  return value === true || value === false ? value : null
}
