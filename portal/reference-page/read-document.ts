// What the reference page reads of the OpenAPI document.
import { z } from 'zod'

/** JSON Schema 2020-12, as far as zod prints it. */
export type JsonSchema = {
  readonly $ref?: string | undefined
  readonly type?: string | readonly string[] | undefined
  readonly description?: string | undefined
  readonly format?: string | undefined
  readonly pattern?: string | undefined
  readonly const?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly default?: unknown
  readonly examples?: readonly unknown[] | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly maxItems?: number | undefined
  readonly minItems?: number | undefined
  readonly required?: readonly string[] | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined
  readonly items?: JsonSchema | undefined
  readonly anyOf?: readonly JsonSchema[] | undefined
  readonly oneOf?: readonly JsonSchema[] | undefined
}

const jsonSchema: z.ZodType<JsonSchema> = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  examples: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  properties: z
    .record(
      z.string(),
      z.lazy(() => jsonSchema),
    )
    .optional(),
  items: z.lazy(() => jsonSchema).optional(),
  anyOf: z.array(z.lazy(() => jsonSchema)).optional(),
  oneOf: z.array(z.lazy(() => jsonSchema)).optional(),
})

const content = z.record(z.string(), z.object({ schema: jsonSchema }))

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  schema: jsonSchema,
})
export type Parameter = z.infer<typeof parameter>

const answer = z.object({ description: z.string(), content: content.optional() })
export type Answer = z.infer<typeof answer>

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).min(1),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), answer])),
})

const document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.string() })).min(1),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    responses: z.record(z.string(), answer),
    schemas: z.record(z.string(), jsonSchema),
  }),
})
export type ApiDocument = z.infer<typeof document>

/** A call, with its answers looked up. */
export type Operation = Omit<z.infer<typeof operation>, 'responses' | 'tags'> & {
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly answers: readonly (Answer & { readonly status: string })[]
}

export function readDocument(given: unknown): ApiDocument {
  return document.parse(given)
}

export function operationsOf({ paths, components }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses, tags, ...told }]) => ({
      ...told,
      ...{ method: method.toUpperCase(), path, tag: tags[0] ?? '' },
      answers: Object.entries(responses).map(([status, one]) => {
        const found = '$ref' in one ? components.responses[nameOf(one.$ref)] : one
        return { description: '', ...found, status }
      }),
    })),
  )
}

/** The last part of a reference. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Several where null is one. */
export function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type
}

/** Of a schema that is the id of something: `org`. */
export function idPrefixOf({ pattern = '' }: JsonSchema): string | undefined {
  return /^\^(\w+)_\[0-9a-z\]\{26\}\$$/.exec(pattern)?.[1]
}
