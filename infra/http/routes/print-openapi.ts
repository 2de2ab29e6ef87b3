// The OpenAPI document of route tables: every route that is not private, with what its table
// refuses by itself.
import { z } from 'zod'
import {
  type Contents,
  hasBody,
  jsonContent,
  type Method,
  type Route,
  type RouteAnswer,
  type RouteBody,
  type RouteDocument,
  textContent,
} from './route.ts'
import { type Json, SchemaComponents } from './schema-components.ts'

export type OpenApiHead = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly serverUrl: string
  /** By name; each of `security` is one way to sign in. */
  readonly securitySchemes: Json
  readonly security: readonly Json[]
  /** What is sent to others, by name. */
  readonly webhooks?: Readonly<Record<string, SentWebhook>>
}

export type SentWebhook = {
  readonly summary: string
  readonly headers: Readonly<Record<string, z.ZodType>>
  /** JSON. */
  readonly body: z.ZodType
  /** What its receiver answers, by status. */
  readonly answers: Readonly<Record<string, string>>
}

/** `refusalContent`: absent where the routes tell their refusals themselves, as raw ones do. */
export type DocumentedTable = {
  readonly routes: readonly Route[]
  readonly refusalContent?: Contents
}

export function printOpenApi(
  { info, serverUrl, securitySchemes, security, webhooks }: OpenApiHead,
  tables: readonly DocumentedTable[],
): Json {
  const schemas = new SchemaComponents()
  const paths: Record<string, Json> = {}
  for (const { routes, refusalContent } of tables)
    for (const route of routes)
      paths[route.path] = { ...paths[route.path], ...operations(route, refusalContent, schemas) }
  // Last: everything has added its own.
  return schemas.finish({
    openapi: '3.1.0',
    info,
    servers: [{ url: serverUrl }],
    security,
    paths: Object.fromEntries(Object.entries(paths).filter(([, told]) => Object.keys(told)[0])),
    ...(webhooks === undefined
      ? {}
      : {
          webhooks: Object.fromEntries(
            Object.entries(webhooks).map(([name, told]) => [name, sent(told, schemas)]),
          ),
        }),
    components: { securitySchemes },
  })
}

function sent({ summary, headers, body, answers }: SentWebhook, schemas: SchemaComponents): Json {
  return {
    post: {
      summary,
      security: [],
      parameters: schemas.parameters(z.object(headers), 'header'),
      requestBody: { required: true, content: schemas.contents(jsonContent(body), 'output') },
      responses: Object.fromEntries(
        Object.entries(answers).map(([status, description]) => [status, { description }]),
      ),
    },
  }
}

function operations(
  route: Route,
  refusalContent: Contents | undefined,
  schemas: SchemaComponents,
): Json {
  const { document } = route
  if (document === 'private') return {}
  return Object.fromEntries(
    route.methods.map((method, at) => {
      const id = at === 0 ? document.operationId : `${document.operationId}By${titled(method)}`
      const told = { ...document, operationId: id }
      return [method.toLowerCase(), operation(route, method, told, refusalContent, schemas)]
    }),
  )
}

function operation(
  route: Route,
  method: Method,
  document: RouteDocument,
  refusalContent: Contents | undefined,
  schemas: SchemaComponents,
): Json {
  const { operationId, tags, summary, description, isDeprecated } = document
  const { right, security } = route
  const body: RouteBody = hasBody(method) ? route.body : { kind: 'none' }
  const parameters = parametersOf(route, body, schemas)
  return {
    operationId,
    tags,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(isDeprecated ? { deprecated: true } : {}),
    ...(security !== undefined
      ? { security }
      : right === 'anonymous' || right === 'token'
        ? { security: [] }
        : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isDocumented(body) ? { requestBody: requestBody(route, body, schemas) } : {}),
    responses: responses({ ...refusals(body, refusalContent), ...document.answers }, schemas),
  }
}

function parametersOf(
  { pathValues, parameters, headers }: Route,
  body: RouteBody,
  schemas: SchemaComponents,
): Json[] {
  const isInBody = body.kind === 'buffered' && body.parametersAs !== undefined
  return [
    ...schemas.parameters(z.object(pathValues ?? {}), 'path'),
    ...(parameters === undefined || isInBody ? [] : schemas.parameters(parameters, 'query')),
    ...schemas.parameters(z.object(headers ?? {}), 'header'),
  ]
}

/** A body that must be empty is read, to refuse others, and has no content to document. */
function isDocumented(body: RouteBody): body is Exclude<RouteBody, { kind: 'none' }> {
  if (body.kind === 'none') return false
  const isInParameters = body.kind === 'buffered' && body.parametersAs !== undefined
  return isInParameters || Object.keys(body.contents).length > 0
}

function requestBody(
  { parameters = z.object({}) }: Route,
  body: Exclude<RouteBody, { kind: 'none' }>,
  schemas: SchemaComponents,
): Json {
  const types = body.kind === 'buffered' ? (body.parametersAs ?? []) : []
  const asParameters = Object.fromEntries(types.map((type) => [type, parameters]))
  return {
    ...(body.isRequired ? { required: true } : {}),
    content: schemas.contents({ ...body.contents, ...asParameters }, 'input'),
  }
}

/** 413 is the HTTP engine's own answer. */
function refusals(
  body: RouteBody,
  refusalContent: Contents | undefined,
): Readonly<Record<number, RouteAnswer>> {
  if (refusalContent === undefined) return {}
  const otherMethod = { description: 'Another method.', content: refusalContent }
  // What streams is refused by the call, in its own words.
  if (body.kind !== 'buffered') return { 405: otherMethod }
  const kib = body.maxBytes / 1024
  const limit = kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`
  const description = `The body is larger than ${limit}.`
  return { 405: otherMethod, 413: { description, content: textContent('text/plain') } }
}

function responses(
  answers: Readonly<Record<number, RouteAnswer>>,
  schemas: SchemaComponents,
): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, schemas.answer(answer)]),
  )
}

function titled(method: Method): string {
  return `${method.slice(0, 1)}${method.slice(1).toLowerCase()}`
}
