// Binary XML of Windows Event Logs (MS-EVEN6, 2.2.12): an event names a template, which stands in
// its chunk once, and the values that fill it. Fails with RangeError for what is none.
import { type EvtxValue, readValue } from './value-types.ts'

export type XmlElement = {
  readonly name: string
  readonly attributes: (readonly [name: string, value: EvtxValue])[]
  readonly children: (XmlElement | EvtxValue)[]
}

const MORE = 0x40
const TOKEN = {
  ...{ end: 0x00, open: 0x01, closeStart: 0x02, closeEmpty: 0x03, close: 0x04, value: 0x05 },
  ...{ attribute: 0x06, cdata: 0x07, charRef: 0x08, entityRef: 0x09, piTarget: 0x0a, piData: 0x0b },
  ...{ template: 0x0c, substitution: 0x0d, optional: 0x0e, fragment: 0x0f },
} as const
const BINARY_XML = 0x21
const FRAGMENT_BYTES = 4
const TEMPLATE_HEAD_BYTES = 24
const MAX_DEPTH = 64
/** In bytes of names and values. */
const TOKEN_COST = 16
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  }),
)

type Filling = readonly (readonly [type: number, at: number, size: number])[]

/** What may still be read of a chunk: bytes of names and values, and tokens. Templates are used
 *  many times, and inside each other, so a small chunk can say far more than it holds. */
export type ReadBudget = { left: number }

/** The one element in chunk[at, end). */
export function readEventXml(
  chunk: Buffer,
  at: number,
  end: number,
  budget: ReadBudget,
): XmlElement {
  const root: XmlElement = { name: '', attributes: [], children: [] }
  new Reader(chunk, at, end, { filling: [], hasDependency: true, depth: 0, budget }).into(root)
  const found = root.children.find((child) => typeof child === 'object')
  if (found === undefined) throw new RangeError('no element')
  return found
}

type Context = {
  readonly filling: Filling
  /** Elements of templates name what they depend on; those in a value do not. */
  readonly hasDependency: boolean
  readonly depth: number
  readonly budget: ReadBudget
}

class Reader {
  readonly #chunk: Buffer
  readonly #end: number
  readonly #context: Context
  #at: number

  constructor(chunk: Buffer, at: number, end: number, context: Context) {
    if (context.depth > MAX_DEPTH) throw new RangeError('too deep')
    this.#chunk = chunk
    this.#at = at
    this.#end = end
    this.#context = context
  }

  into(root: XmlElement): void {
    const open: XmlElement[] = [root]
    let attribute: string | undefined
    const add = (value: XmlElement | EvtxValue) => {
      const element = open.at(-1) ?? root
      if (attribute === undefined) element.children.push(value)
      else if (typeof value !== 'object') addAttribute(element, attribute, value)
    }
    while (this.#at < this.#end) {
      const token = this.#u8()
      this.#spend(TOKEN_COST)
      switch (token & ~MORE) {
        case TOKEN.end:
          return
        case TOKEN.open: {
          const element = this.#open((token & MORE) !== 0)
          ;(open.at(-1) ?? root).children.push(element)
          open.push(element)
          if (open.length > MAX_DEPTH) throw new RangeError('too deep')
          break
        }
        case TOKEN.closeStart:
          attribute = undefined
          break
        case TOKEN.closeEmpty:
        case TOKEN.close:
          attribute = undefined
          open.pop()
          if (open.length === 0) throw new RangeError('an element is closed that is not open')
          break
        case TOKEN.value: {
          if (this.#u8() !== 0x01) throw new RangeError('a value that is no text')
          add(this.#text(this.#u16()))
          break
        }
        case TOKEN.attribute:
          attribute = this.#name()
          break
        case TOKEN.cdata:
          add(this.#text(this.#u16()))
          break
        case TOKEN.charRef:
          add(String.fromCharCode(this.#u16()))
          break
        case TOKEN.entityRef: {
          const name = this.#name()
          add(ENTITIES.get(name) ?? `&${name};`)
          break
        }
        case TOKEN.piTarget:
          this.#name()
          break
        case TOKEN.piData:
          this.#text(this.#u16())
          break
        case TOKEN.fragment:
          this.#at += FRAGMENT_BYTES - 1
          break
        case TOKEN.template:
          this.#template(open.at(-1) ?? root)
          break
        case TOKEN.substitution:
        case TOKEN.optional: {
          const number = this.#u16()
          this.#u8()
          this.#fill(number, add)
          break
        }
        default:
          throw new RangeError(`token ${token}`)
      }
    }
  }

  #open(hasAttributes: boolean): XmlElement {
    if (this.#context.hasDependency) this.#u16()
    this.#u32()
    const name = this.#name()
    if (hasAttributes) this.#u32()
    return { name, attributes: [], children: [] }
  }

  #template(into: XmlElement): void {
    this.#at += 5
    const definition = this.#u32()
    const size = this.#u32At(definition + TEMPLATE_HEAD_BYTES - 4)
    const begin = definition + TEMPLATE_HEAD_BYTES
    // It stands here where it is used first.
    if (definition === this.#at) this.#at = begin + size
    const count = this.#u32()
    if (count > this.#end - this.#at) throw new RangeError('too many values')
    const types: [type: number, size: number][] = []
    for (let i = 0; i < count; i += 1) {
      const bytes = this.#u16()
      types.push([this.#u8(), bytes])
      this.#at += 1
    }
    const filling: [number, number, number][] = []
    for (const [type, bytes] of types) {
      filling.push([type, this.#at, bytes])
      this.#at += bytes
    }
    if (this.#at > this.#end) throw new RangeError('values end behind the record')
    this.#spend(count)
    const { depth, budget } = this.#context
    const context = { filling, hasDependency: true, depth: depth + 1, budget }
    new Reader(this.#chunk, begin, begin + size, context).into(into)
  }

  #fill(number: number, add: (value: XmlElement | EvtxValue) => void): void {
    const [type, at, size] = this.#context.filling[number] ?? [0, 0, 0]
    if (type === BINARY_XML) {
      const inner: XmlElement = { name: '', attributes: [], children: [] }
      const { depth, budget } = this.#context
      const context = { filling: [], hasDependency: false, depth: depth + 1, budget }
      new Reader(this.#chunk, at, at + size, context).into(inner)
      for (const child of inner.children) add(child)
      return
    }
    this.#spend(size)
    for (const value of readValue(this.#chunk.subarray(at, at + size), type)) add(value)
  }

  /** By its offset in the chunk; here where it is used first. */
  #name(): string {
    const offset = this.#u32()
    const length = this.#chunk.readUInt16LE(offset + 6)
    const begin = offset + 8
    this.#spend(length * 2)
    if (offset === this.#at) this.#at = begin + (length + 1) * 2
    if (begin + length * 2 > this.#chunk.length) throw new RangeError('a name ends nowhere')
    return this.#chunk.toString('utf16le', begin, begin + length * 2)
  }

  #text(length: number): string {
    const begin = this.#at
    this.#spend(length * 2)
    this.#at += length * 2
    if (this.#at > this.#end) throw new RangeError('a text ends behind the record')
    return this.#chunk.toString('utf16le', begin, this.#at)
  }

  #spend(units: number): void {
    this.#context.budget.left -= units
    if (this.#context.budget.left < 0) throw new RangeError('more than a chunk says')
  }

  #u8(): number {
    this.#at += 1
    return this.#chunk.readUInt8(this.#at - 1)
  }

  #u16(): number {
    this.#at += 2
    return this.#chunk.readUInt16LE(this.#at - 2)
  }

  #u32(): number {
    this.#at += 4
    return this.#u32At(this.#at - 4)
  }

  #u32At(at: number): number {
    return this.#chunk.readUInt32LE(at)
  }
}

function addAttribute(element: XmlElement, name: string, value: EvtxValue): void {
  const last = element.attributes.at(-1)
  if (last?.[0] === name) element.attributes.splice(-1, 1, [name, `${last[1]}${value}`])
  else element.attributes.push([name, value])
}
