// An event of Windows in JSON: its elements by name, attributes in `#attributes`, data that has a
// name under that name. A name that stands there already gets `_1`, `_2`, ….
import type { XmlElement } from './binary-xml.ts'
import type { EvtxValue } from './value-types.ts'

export type EventJson = EvtxValue | null | readonly EvtxValue[] | { [name: string]: EventJson }

export function toEventJson(root: XmlElement): EventJson {
  return { [root.name]: contentOf(root) }
}

function contentOf({ name, attributes, children }: XmlElement): EventJson {
  const own = attributes.filter(([key]) => !(name === 'Data' && key === 'Name'))
  const elements = children.filter((child) => typeof child === 'object')
  const values = children.filter((child) => typeof child !== 'object')
  const text = values.length > 1 ? values.join('') : values[0]
  if (own.length === 0 && elements.length === 0) return text ?? null
  // Names of elements and data come from the file, `__proto__` among them.
  const content: { [name: string]: EventJson } = Object.create(null)
  if (own.length > 0) content['#attributes'] = Object.fromEntries(own)
  const numbers = new Map<string, number>()
  for (const element of elements) {
    const given = element.attributes.find(([key]) => key === 'Name')?.[1]
    const wanted = element.name === 'Data' && given ? String(given) : element.name
    content[freeName(content, wanted, numbers)] = contentOf(element)
  }
  if (text !== undefined) content['#text'] = text
  return content
}

/** `numbers`: the last one of each name, from which the search continues. */
function freeName(content: object, wanted: string, numbers: Map<string, number>): string {
  let name = wanted
  let number = numbers.get(wanted) ?? 0
  for (; Object.hasOwn(content, name); name = `${wanted}_${number}`) number += 1
  numbers.set(wanted, number)
  return name
}
