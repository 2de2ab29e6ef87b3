// From a request to the parameters of an endpoint: those of the address, then a form or a JSON
// object. A mistake names its parameter.
import { z } from 'zod'
import type { RouteCall } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { FORM, readForm } from '../edge/read-form.ts'
import type { Given } from '../edge/surface.ts'

export type JsonGiven = Given & {
  /** By name; several values of the address or a form are an array. */
  readonly values: ReadonlyMap<string, unknown>
  /** A body that cannot be read. */
  readonly refusal: Failure | undefined
}

const JSON_TYPE = 'application/json'
const CREDENTIALS: ReadonlySet<string> = new Set(['autoLogin', 'username', 'password', 'apiToken'])

export function readGiven(call: Pick<RouteCall, 'request' | 'body'>): JsonGiven {
  const { pairs, other } = readForm(call)
  if (other === undefined) return given(pairs, {})
  if (other.type !== JSON_TYPE)
    return given(pairs, {}, refuse('Content-Type', `must be ${JSON_TYPE} or ${FORM}`))
  const parsed = objectSchema.safeParse(parseJson(other.text))
  if (!parsed.success) return given(pairs, {}, refuse('body', 'must be a JSON object'))
  return given(pairs, parsed.data)
}

const objectSchema = z.record(z.string(), z.unknown())

function given(
  pairs: readonly (readonly [string, string])[],
  body: Readonly<Record<string, unknown>>,
  refusal?: Failure,
): JsonGiven {
  const texts = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (CREDENTIALS.has(name)) continue
    const known = texts.get(name)
    if (known) known.push(value)
    else texts.set(name, [value])
  }
  const values = new Map<string, unknown>()
  for (const [name, list] of texts) values.set(name, list.length === 1 ? list[0] : list)
  for (const [name, value] of Object.entries(body)) {
    // Twice is a mistake, whatever the two say.
    values.set(name, values.has(name) ? [values.get(name), value] : value)
  }
  return { pairs, values, refusal }
}

/** Throws search.parameter. Of a user that has signed in: others are told nothing of what they
 *  sent. */
export function parseGiven<Parameters extends z.ZodObject>(
  schema: Parameters,
  given: JsonGiven,
): z.output<Parameters> {
  if (given.refusal !== undefined) throw given.refusal
  const input: Record<string, unknown> = {}
  for (const [name, value] of given.values) {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
    if (field === undefined) throw refuse(name, 'unknown parameter')
    input[name] = fromText(value, kindOf(field))
  }
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0] ?? 'body')
  throw refuse(name, given.values.has(name) ? reasonOf(issue) : 'missing')
}

type FieldKind = 'integer' | 'array' | 'other'

function kindOf(field: z.core.$ZodType): FieldKind {
  const { type } = z.toJSONSchema(field, { io: 'input' })
  return type === 'integer' || type === 'array' ? type : 'other'
}

/** Addresses and forms have texts only. */
function fromText(value: unknown, kind: FieldKind): unknown {
  if (kind === 'array') return typeof value === 'string' ? [value] : value
  if (Array.isArray(value)) return value
  return kind === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value)
    ? Number(value)
    : value
}

function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return `must be ${words[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    default:
      return issue?.message ?? 'cannot be read'
  }
}

const words: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'one text',
  array: 'a list',
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long'
  return origin === 'array' ? ' values' : ''
}

function refuse(parameter: string, reason: string): Failure {
  return new Failure('search.parameter', { parameter: parameter.slice(0, 64), reason })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
