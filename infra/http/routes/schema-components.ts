// Pieces of the OpenAPI document out of zod schemas: one with an id stands once, under it. OpenAPI
// 3.1 takes JSON Schema 2020-12 as it is, which zod prints. What is sent may leave out fields that
// have a default, what is answered has them: a schema that differs so stands twice, the second time
// as `<id>Input`.
import { z } from 'zod'
import type { Contents, RouteAnswer } from './route.ts'

export type Json = Readonly<Record<string, unknown>>

type Io = 'input' | 'output'

const COMPONENTS = '#/components/schemas/'

export class SchemaComponents {
  readonly #schemas: Record<Io, Record<string, unknown>> = { input: {}, output: {} }
  readonly #answers: Record<string, Json> = {}

  /** The schema, or a reference to it where it has an id. */
  add(schema: z.ZodType, io: Io): Json {
    return asObject(asObject(this.#print(z.object({ one: schema }), io).properties).one)
  }

  contents(contents: Contents, io: Io): Json {
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

  /** Or a reference to it where it has a name. */
  answer({ name, description, headers, content }: RouteAnswer): Json {
    const told = {
      description,
      ...(headers === undefined ? {} : { headers: this.headers(headers) }),
      ...(content === undefined ? {} : { content: this.contents(content, 'output') }),
    }
    if (name === undefined) return told
    this.#answers[name] = told
    return { $ref: `#/components/responses/${name}` }
  }

  /** The document made of these pieces, with its components: until here a reference says whether
   *  it is one of the input. */
  finish(document: Json): Json {
    const { input, output } = this.#schemas
    const ofInput = new Set(Object.keys(input).filter((name) => this.#differs(name)))
    const rename = (value: unknown): unknown =>
      mapReferences(value, (reference) => {
        if (!reference.startsWith(COMPONENTS)) return reference
        const [name = '', io] = reference.slice(COMPONENTS.length).split(':')
        return COMPONENTS + (io === 'input' && ofInput.has(name) ? `${name}Input` : name)
      })
    const named = Object.entries(input).map(([name, schema]) => [
      ofInput.has(name) ? `${name}Input` : name,
      schema,
    ])
    const schemas = { ...Object.fromEntries(named), ...output }
    const answers = Object.keys(this.#answers).length === 0 ? {} : { responses: this.#answers }
    const components = { ...asObject(document.components), ...answers, schemas }
    return asObject(rename({ ...document, components }))
  }

  /** Whether input and output are not the same, or what they refer to is not. */
  #differs(name: string, seen: ReadonlySet<string> = new Set()): boolean {
    const { input, output } = this.#schemas
    if (seen.has(name) || output[name] === undefined || input[name] === undefined) return false
    const used = new Set<string>()
    const plain = (schema: unknown) =>
      JSON.stringify(
        mapReferences(schema, (reference) => {
          const [path = ''] = reference.split(':')
          used.add(path.slice(COMPONENTS.length))
          return path
        }),
      )
    if (plain(input[name]) !== plain(output[name])) return true
    const further = new Set([...seen, name])
    return [...used].some((one) => this.#differs(one, further))
  }

  #print(schema: z.ZodType, io: Io): Json {
    const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io })
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.#schemas[io][name] = toComponents(definition, io)
    return asObject(toComponents(own, io))
  }
}

function described(field: unknown): Json {
  const { description, ...schema } = asObject(field)
  return { ...(description === undefined ? {} : { description }), schema }
}

function toComponents(value: unknown, io: Io): unknown {
  if (Array.isArray(value)) return value.map((inner) => toComponents(inner, io))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name === '$ref' && typeof inner === 'string')
        return [[name, `${inner.replace('#/$defs/', COMPONENTS)}:${io}`]]
      // Said by the name of the component.
      return name === 'id' && typeof inner === 'string' ? [] : [[name, toComponents(inner, io)]]
    }),
  )
}

function mapReferences(value: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapReferences(inner, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string' ? change(inner) : mapReferences(inner, change),
    ]),
  )
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
