// Summaries of the OpenAPI documents, docs/reference/openapi.txt and portal-openapi.txt: a line for
// each operation, `METHOD path operationId hash`. A webhook is a line `WEBHOOK name hash`; the rest
// of the document, without version and servers, is the line `DOCUMENT hash`. The hash covers the
// operation, the sign-in it needs and every component it refers to, directly or not. It does not
// depend on the order of keys, or of lists in which order has no meaning.
import { createHash } from 'node:crypto'
import { z } from 'zod'

/** Why a test that compares fails, and what to do. */
export const REWRITE =
  'these operations changed: check each, then rewrite the summary with: npm run openapi'

const HASH_LENGTH = 12
const HEAD =
  '# What each hash covers: test/support/openapi/summary.ts. Rewrite with: npm run openapi'
/** Keywords of OpenAPI and JSON Schema whose lists are sets. */
const SETS = new Set([
  'allOf',
  'anyOf',
  'enum',
  'oneOf',
  'parameters',
  'required',
  'security',
  'tags',
  'type',
])

const record = z.record(z.string(), z.unknown())
const operationSchema = z.looseObject({
  operationId: z.string().optional(),
  security: z.array(record).optional(),
})
const operationsSchema = z.record(z.string(), z.record(z.string(), operationSchema))
const documentSchema = z.looseObject({
  info: record,
  security: z.array(record),
  paths: operationsSchema,
  webhooks: operationsSchema.optional(),
  components: z.record(z.string(), record),
})
type Document = z.infer<typeof documentSchema>

/** The text of a summary, sorted by path. */
export function printSummary(document: unknown): string {
  const parsed = documentSchema.parse(document)
  const { paths, webhooks = {} } = parsed
  const operations = Object.keys(paths)
    .sort()
    .flatMap((path) =>
      Object.entries(paths[path] ?? {})
        .map(([method, operation]) => {
          const words = [method.toUpperCase(), path, operation.operationId]
          return [...words, hashOperation(operation, parsed)].filter((word) => word).join(' ')
        })
        .sort(),
    )
  const sent = Object.entries(webhooks).map(
    ([name, methods]) => `WEBHOOK ${name} ${hashWithComponents(methods, parsed)}`,
  )
  return [HEAD, `DOCUMENT ${hashRest(parsed)}`, ...operations, ...sent.sort(), ''].join('\n')
}

/** Lines such as `changed: GET /api/a getA`; empty when the document is the summarized one. */
export function findChanges(summary: string, document: unknown): string[] {
  const before = readHashes(summary)
  const after = readHashes(printSummary(document))
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.flatMap((name) => {
    if (before.get(name) === after.get(name)) return []
    const change = !before.has(name) ? 'added' : after.has(name) ? 'changed' : 'removed'
    return [`${change}: ${name}`]
  })
}

/** By name: all of a line but its hash. */
function readHashes(summary: string): Map<string, string> {
  const lines = summary.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), line.slice(at + 1)]
    }),
  )
}

function hashRest(document: Document): string {
  const summarized = { paths: null, webhooks: null, components: null, security: null }
  const info = { ...document.info, version: null }
  return hash({ ...document, ...summarized, info, servers: null })
}

function hashOperation(operation: z.infer<typeof operationSchema>, document: Document): string {
  const { security = document.security } = operation
  const { securitySchemes = {} } = document.components
  const schemes = security
    .flatMap((way) => Object.keys(way))
    .map((name) => [name, securitySchemes[name]])
  const whole = { ...operation, security, schemes: Object.fromEntries(schemes) }
  return hashWithComponents(whole, document)
}

function hashWithComponents(value: unknown, { components }: Document): string {
  const reached = new Map<string, unknown>()
  const visit = (part: unknown) => {
    for (const reference of referencesOf(part)) {
      if (reached.has(reference)) continue
      const [kind = '', name = ''] = reference.replace('#/components/', '').split('/')
      const component = components[kind]?.[name]
      reached.set(reference, component)
      visit(component)
    }
  }
  visit(value)
  return hash({ value, components: Object.fromEntries(reached) })
}

function referencesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : referencesOf(inner),
  )
}

function hash(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, HASH_LENGTH)
}

function canonical(value: unknown, key = ''): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item))
    return `[${(SETS.has(key) ? items.sort() : items).join(',')}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${canonical(inner, name)}`,
  )
  return `{${fields.sort().join(',')}}`
}
