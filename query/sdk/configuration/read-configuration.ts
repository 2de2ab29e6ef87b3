// A configuration in YAML: types of objects, and below each its objects with the arguments of their
// command. Every scalar is the text that stands there: no number, date or flag is made of it.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node } from 'yaml'
import { ENTRY_SEPARATOR } from '../../../schemas/log-definition.ts'
import { OBJECT_TYPES, type ObjectType } from '../../../schemas/object-types.ts'
import { listArguments } from '../../../schemas/sdk/commands.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { ObjectArguments } from '../objects/object-kind.ts'
import { composeYaml } from './compose-yaml.ts'

export type ConfiguredObject = {
  readonly type: ObjectType
  /** Where it begins, from 1. */
  readonly line: number
  readonly arguments: ObjectArguments
  /** Line of each argument. */
  readonly lines: Readonly<Record<string, number>>
}

export type Configuration = {
  readonly objects: readonly ConfiguredObject[]
  /** Those that the file names, also without objects. */
  readonly types: ReadonlySet<ObjectType>
  /** What is wrong with it, with the line; [] for nothing. */
  readonly faults: readonly string[]
}

/** Beside the arguments of an object: what an export left out, by name. */
export const SECRETS_KEY = 'secrets'

/** Of a text that is no YAML: more are not told. */
const MOST_FAULTS = 100

export function readConfiguration(text: string): Configuration {
  const lineCounter = new LineCounter()
  const composed = composeYaml(text, lineCounter)
  const lineOf = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  const reader = new ConfigurationReader((node) => lineOf(node.range?.[0] ?? 0))
  if ('fault' in composed) {
    reader.faults.push(`line ${lineOf(composed.fault.at)}: ${composed.fault.reason}`)
    return reader
  }
  const { errors = [], warnings = [], contents = null } = composed.document ?? {}
  for (const { pos, message } of [...errors, ...warnings].slice(0, MOST_FAULTS))
    reader.faults.push(`line ${lineOf(pos[0])}: ${message}`)
  if (reader.faults.length === 0) reader.read(contents)
  return reader
}

class ConfigurationReader {
  readonly objects: ConfiguredObject[] = []
  readonly types = new Set<ObjectType>()
  readonly faults: string[] = []
  readonly #lineOf: (node: Node) => number

  constructor(lineOf: (node: Node) => number) {
    this.#lineOf = lineOf
  }

  read(contents: Node | null): void {
    if (contents === null || (isScalar(contents) && contents.value === '')) return
    if (!isMap(contents)) {
      this.#refuse(contents, 'must name types of objects, such as folder: or listener:')
      return
    }
    for (const { key, value } of contents.items) {
      if (!isScalar(key)) {
        this.#refuse(contents, 'has a type that is no text')
        continue
      }
      const name = String(key.value)
      const type = OBJECT_TYPES.find((one) => one === name)
      if (type === undefined) {
        this.#refuse(key, `there is no type ${name}; there are ${OBJECT_TYPES.join(', ')}`)
        continue
      }
      if (this.types.has(type)) this.#refuse(key, `the type ${name} stands in the file already`)
      this.types.add(type)
      if (isSeq(value)) for (const item of value.items) this.#readObject(type, item, key)
      else if (!isScalar(value) || value.value !== '')
        this.#refuse(
          isNode(value) ? value : key,
          `below ${type} a list is expected, each object after a -`,
        )
    }
  }

  #readObject(type: ObjectType, item: unknown, near: Node): void {
    if (!isMap(item)) {
      const reason = `an object of the type ${type} must be arguments with values`
      this.#refuse(isNode(item) ? item : near, reason)
      return
    }
    // Maps: an argument may be called __proto__.
    const given = new Map<string, string>()
    const lines = new Map<string, number>()
    for (const { key, value } of item.items) {
      if (!isScalar(key)) {
        this.#refuse(item, 'has an argument that is no text')
        continue
      }
      const name = String(key.value)
      if (name === SECRETS_KEY) continue
      if (lines.has(name)) this.#refuse(key, `${name} stands in this ${type} already`)
      lines.set(name, this.#lineOf(key))
      const text = readValue(type, name, value)
      if (text === undefined)
        this.#refuse(isNode(value) ? value : key, `${name} must be a text or a list of texts`)
      else given.set(name, text)
    }
    this.objects.push({
      ...{ type, line: this.#lineOf(item) },
      ...{ arguments: Object.fromEntries(given), lines: Object.fromEntries(lines) },
    })
  }

  #refuse(node: Node, reason: string): void {
    this.faults.push(
      `line ${this.#lineOf(node)}: ${isAlias(node) ? 'aliases are not read' : reason}`,
    )
  }
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value)
}

function readValue(type: ObjectType, name: string, value: unknown): string | undefined {
  if (value === null) return ''
  if (isScalar(value)) return String(value.value ?? '')
  if (!isSeq(value)) return undefined
  const texts: string[] = []
  for (const item of value.items) {
    if (!isScalar(item)) return undefined
    texts.push(String(item.value ?? ''))
  }
  return isOfEntries(type, name) ? texts.join(ENTRY_SEPARATOR) : JSON.stringify(texts)
}

/** Lists whose elements may hold a comma say so in how they are written. */
export function isOfEntries(type: ObjectType, name: string): boolean {
  const published = listArguments(OBJECT_KINDS[type].command).find((one) => one.name === name)
  return published?.hint.includes(ENTRY_SEPARATOR) ?? false
}
