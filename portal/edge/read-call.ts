// Parameters and body of a call, checked against their schemas: unknown ones are refused where the
// schema is strict (decision 1.8).
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'
import { findRepeatedKey } from './find-repeated-key.ts'
import { InvalidRequest, toInvalidRequest } from './invalid-request.ts'

const NONE = z.strictObject({})
/** As JSON writes it. PostgreSQL has no text with it: what SQLite took would fail there. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/
const MAX_POINTER = 300

/** Fails with portal.invalid_request. */
export function readQuery<Query extends z.ZodObject>(
  given: URLSearchParams,
  schema: Query | undefined,
): z.infer<Query>
export function readQuery(given: URLSearchParams, schema: z.ZodObject | undefined): unknown {
  const repeated = [...given.keys()].find((name) => given.getAll(name).length > 1)
  if (repeated !== undefined)
    throw new InvalidRequest([{ pointer: `/${repeated}`, message: 'is given twice' }])
  const known: z.ZodObject = schema ?? NONE
  const values = [...given].map(([name, text]) => [name, readValue(text, known.shape[name])])
  const parsed = known.safeParse(Object.fromEntries(values))
  if (!parsed.success) throw toInvalidRequest(parsed.error)
  return parsed.data
}

/** A number is digits alone: what else JavaScript takes for one (`1e2`, `0x10`, ` 5`) stays a
 *  text, which is refused. */
function readValue(text: string, field: z.core.$ZodType | undefined): string | number {
  const inner = field instanceof z.ZodDefault ? field.unwrap() : field
  return inner instanceof z.ZodNumber && /^\d{1,9}$/.test(text) ? Number(text) : text
}

/** Fails with portal.unsupported_media_type, portal.invalid_json, portal.invalid_request. */
export function readBody<Body extends z.ZodType>(
  request: Request,
  body: Uint8Array,
  schema: Body | undefined,
  isOptional: boolean | undefined,
): z.infer<Body>
export function readBody(
  request: Request,
  body: Uint8Array,
  schema: z.ZodType | undefined,
  isOptional: boolean | undefined,
): unknown {
  if (schema === undefined && body.length === 0) return undefined
  if (isOptional && body.length === 0) return (schema ?? NONE).parse({})
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Failure('portal.unsupported_media_type', { type: 'application/json' })
  // A call without a body takes an empty object, and no field.
  const parsed = (schema ?? NONE).safeParse(parseJson(body))
  if (!parsed.success) throw toInvalidRequest(parsed.error)
  return parsed.data
}

function parseJson(body: Uint8Array): unknown {
  const { text, given } = decodeJson(body)
  if (NUL.test(text))
    throw new InvalidRequest([{ pointer: '', message: 'must hold no character U+0000' }])
  const repeated = findRepeatedKey(text, given)
  if (repeated !== undefined)
    throw new InvalidRequest([
      { pointer: repeated.slice(0, MAX_POINTER), message: 'is given twice' },
    ])
  return given
}

function decodeJson(body: Uint8Array): { text: string; given: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return { text, given: JSON.parse(text) }
  } catch {
    throw new Failure('portal.invalid_json')
  }
}
