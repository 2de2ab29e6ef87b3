// Pieces of the OpenAPI document: schemas with an id stand once, under it.
import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>

export class Components {
  readonly #schemas: Record<string, unknown> = {}

  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io })
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.#schemas[name] = toComponents(definition)
    return asObject(toComponents(own))
  }

  /** A reference to a schema that has an id. */
  refer(schema: z.ZodType): Json {
    return asObject(asObject(this.add(z.object({ one: schema }), 'output').properties).one)
  }

  all(): Json {
    return this.#schemas
  }
}

function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name === '$ref' && typeof inner === 'string')
        return [[name, inner.replace('#/$defs/', '#/components/schemas/')]]
      // Said by the name of the component.
      return name === 'id' && typeof inner === 'string' ? [] : [[name, toComponents(inner)]]
    }),
  )
}

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A field of the schema a parameter. */
export function inAddress(schemas: Components, parameters: z.ZodObject): Json[] {
  const { properties, required } = schemas.add(parameters, 'input')
  const wanted = Array.isArray(required) ? required : []
  return Object.entries(asObject(properties)).map(([name, field]) => {
    const { description, ...schema } = asObject(field)
    return {
      name,
      in: 'query',
      required: wanted.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }
  })
}

export function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } }
}

export function textContent(...types: readonly string[]): Json {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))
}

/** Of the HTTP server itself, before any path: every call with a body may meet them. */
export const BODY_REFUSALS: Json = {
  413: { description: 'The body is larger than 1 MiB.', content: textContent('text/plain') },
}
