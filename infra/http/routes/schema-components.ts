// Pieces of the OpenAPI document out of zod schemas: one with an id stands once, under it. OpenAPI
// 3.1 takes JSON Schema 2020-12 as it is, which zod prints.
import { z } from 'zod'
import type { Contents } from './route.ts'

export type Json = Readonly<Record<string, unknown>>

export class SchemaComponents {
  readonly #schemas: Record<string, unknown> = {}

  /** The schema, or a reference to it where it has an id. */
  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    return asObject(asObject(this.#print(z.object({ one: schema }), io).properties).one)
  }

  contents(contents: Contents, io: 'input' | 'output'): Json {
    return Object.fromEntries(
      Object.entries(contents).map(([type, schema]) => [type, { schema: this.add(schema, io) }]),
    )
  }

  /** Each field a parameter. */
  parameters(fields: z.ZodObject, place: 'query' | 'path' | 'header'): Json[] {
    const { properties, required } = this.#print(fields, 'input')
    const wanted = Array.isArray(required) ? required : []
    return Object.entries(asObject(properties)).map(([name, field]) => ({
      name,
      in: place,
      required: wanted.includes(name),
      ...described(field),
    }))
  }

  headers(fields: Readonly<Record<string, z.ZodType>>): Json {
    const { properties } = this.#print(z.object(fields), 'output')
    return Object.fromEntries(
      Object.entries(asObject(properties)).map(([name, field]) => [name, described(field)]),
    )
  }

  all(): Json {
    return this.#schemas
  }

  #print(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io })
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.#schemas[name] = toComponents(definition)
    return asObject(toComponents(own))
  }
}

function described(field: unknown): Json {
  const { description, ...schema } = asObject(field)
  return { ...(description === undefined ? {} : { description }), schema }
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

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
