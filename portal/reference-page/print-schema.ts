// Fields of a schema as a list: name, kind, whether it must be there, what it says, its limits.
// What has a name of its own is a link, what is inside opens.
import { escapeHtml, printLine } from './print-html.ts'
import type { JsonSchema } from './read-document.ts'
import { idPrefixOf, nameOf, typesOf } from './read-document.ts'

const MAX_DEPTH = 6
const MAX_SHOWN_NUMBER = 1_000_000_000_000

export function printFields(schema: JsonSchema, depth = 0): string {
  if (depth > MAX_DEPTH) return ''
  const { properties = {}, required = [] } = schema
  // Where every field is there, as in answers, nothing needs saying.
  const isAll = required.length === Object.keys(properties).length && required.length > 2
  const rows = Object.entries(properties).map(([name, field]) =>
    printField(name, field, !isAll && required.includes(name), depth),
  )
  return rows.length === 0 ? '' : `<ul class="fields">\n${rows.join('\n')}\n</ul>`
}

export function printField(name: string, field: JsonSchema, isRequired: boolean, depth = 0) {
  const { description } = field
  const marks = isRequired ? ' <b class="must">required</b>' : ''
  return `<li><div class="field"><code class="name">${escapeHtml(name)}</code> <span class="kind">${printKind(field)}</span>${marks}</div>${
    description === undefined ? '' : `<p>${printLine(description)}</p>`
  }${printLimits(field)}${printInside(field, depth + 1)}</li>`
}

/** `string`, `array of Plan`, `Plan or null`. */
export function printKind(schema: JsonSchema): string {
  const { $ref: reference, items, format, enum: values } = schema
  const types = typesOf(schema)
  if (reference !== undefined) {
    const name = escapeHtml(nameOf(reference))
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  const choices = choicesOf(schema)
  if (choices !== undefined) return [...new Set(choices.map(printKind))].join(' or ')
  if (types.includes('array'))
    return `array of ${items === undefined ? 'values' : printKind(items)}`
  if (values !== undefined) return 'enum'
  if (format === 'date-time') return 'time'
  const prefix = idPrefixOf(schema)
  if (prefix !== undefined) return `id <code>${prefix}_…</code>`
  return escapeHtml(types.join(' or ') || 'any value')
}

function choicesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined {
  return anyOf ?? oneOf
}

function printLimits(schema: JsonSchema): string {
  const told = limitsOf(schema)
  return told.length === 0 ? '' : `<p class="limits">${told.join(' · ')}</p>`
}

function limitsOf(schema: JsonSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  const code = (value: unknown) => `<code>${escapeHtml(JSON.stringify(value) ?? '')}</code>`
  const range = (low: number | undefined, high: number | undefined, what: string) => {
    const most = high === undefined || high > MAX_SHOWN_NUMBER ? undefined : high
    if (low === undefined && most === undefined) return []
    if (most === undefined) return low === 0 ? [] : [`at least ${low}${what}`]
    return [low === undefined ? `at most ${most}${what}` : `${low} to ${most}${what}`]
  }
  const inner = choicesOf(schema)?.filter((one) => !typesOf(one).includes('null'))
  const [only, ...more] = inner ?? []
  const isEnded = only?.$ref !== undefined || only?.properties !== undefined
  return [
    ...(schema.enum === undefined ? [] : [schema.enum.map(code).join(' ')]),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(pattern === undefined || idPrefixOf(schema)
      ? []
      : [`matches <code>${escapeHtml(pattern)}</code>`]),
    ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`]),
    ...(only === undefined || more.length > 0 || isEnded ? [] : limitsOf(only)),
  ]
}

/** What is inside of it opens at a click, or with the keyboard. */
function printInside(field: JsonSchema, depth: number): string {
  const inside = [field, field.items ?? {}, ...(choicesOf(field) ?? [])]
    .concat(choicesOf(field.items ?? {}) ?? [])
    .filter(({ $ref: reference, properties }) => reference === undefined && properties)
  return inside
    .map((one) => {
      const list = printFields(one, depth)
      return list === '' ? '' : `<details><summary>its fields</summary>${list}</details>`
    })
    .join('')
}
