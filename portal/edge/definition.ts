// A call of the portal as a value: what serves, checks and documents it reads the same one.
import type { z } from 'zod'
import {
  type Contents,
  hasBody,
  jsonContent,
  MAX_SMALL_BODY_BYTES,
  type Method,
  NO_BODY,
  type Route,
  type RouteAnswer,
  type RouteBody,
  wholeBody,
} from '../../infra/http/routes/route.ts'
import { type Allows, describeAllows } from '../access/caller.ts'
import { FAILED_ANSWERS, PAGE_HEADERS, PATH_VALUE, RATE_HEADERS } from './documented-answers.ts'
import { headersOf } from './documented-headers.ts'

export type Definition<Query extends z.ZodObject, Body extends z.ZodType> = {
  readonly method: Method
  /** Below that of the version (mount-versions.ts). */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly allows: Allows
  /** Default 600 calls a minute of a caller that shows a credential, 60 of an address. */
  readonly callsAMinute?: number
  readonly query?: Query
  readonly body?: Body
  /** Without one, the body counts as `{}`. */
  readonly isBodyOptional?: boolean
  /** Default 256 KiB. */
  readonly maxBodyBytes?: number
  /** Of the request, for the document, beside those that follow from its callers. */
  readonly headers?: Readonly<Record<string, z.ZodType>>
  /** In place of `body`: it is handed over as it comes. */
  readonly upload?: { readonly maxBytes: number; readonly contents: Contents }
  /** Beside those that every call has; the first is the usual one. */
  readonly answers: Readonly<Record<number, Answer>>
}

type Answer = {
  readonly description: string
  /** JSON. */
  readonly schema?: z.ZodType
  readonly content?: Contents
  readonly headers?: Readonly<Record<string, z.ZodType>>
}

export function toRoute<Query extends z.ZodObject, Body extends z.ZodType>(
  definition: Definition<Query, Body>,
  isWrite: boolean,
): Route {
  const { method, path, operationId, tag, summary, allows, query } = definition
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const isAnonymous = allows.nobody === true
  // A key of the API alone has scopes.
  const isBearers = Object.keys(allows).some((name) => name !== 'nobody' && name !== 'scope')
  const isBrowsers = allows.roles !== undefined || allows.everybody === true
  return {
    methods: [method],
    path,
    right: isAnonymous ? 'anonymous' : 'signed-in',
    security: [
      ...(isAnonymous ? [{}] : []),
      ...(isBearers ? [{ bearer: [] }] : []),
      ...(allows.scope === undefined ? [] : [{ apiKey: [allows.scope] }]),
      ...(allows.everybody === true ? [{ apiKey: [] }] : []),
      ...(isBrowsers ? [{ cookie: [] }] : []),
    ],
    pathValues: Object.fromEntries(names.map((name) => [name, PATH_VALUE])),
    ...(query === undefined ? {} : { parameters: query }),
    headers: { ...headersOf(allows, isWrite), ...definition.headers },
    body: bodyOf(definition),
    document: {
      operationId,
      tags: [tag],
      summary,
      description: [definition.description, describeAllows(allows)].filter(Boolean).join('\n\n'),
      answers: { ...FAILED_ANSWERS, ...answersOf(definition) },
    },
  }
}

function bodyOf({
  method,
  body,
  upload,
  isBodyOptional = false,
  maxBodyBytes = MAX_SMALL_BODY_BYTES,
}: Definition<z.ZodObject, z.ZodType>): RouteBody {
  if (upload !== undefined) return { kind: 'streamed', isRequired: true, ...upload }
  const limits = { isRequired: !isBodyOptional, maxBytes: maxBodyBytes }
  if (body !== undefined) return wholeBody(jsonContent(body), limits)
  // What is sent nevertheless is read, so that it can be refused.
  return hasBody(method) ? wholeBody({}, { ...limits, isRequired: false }) : NO_BODY
}

function answersOf({
  answers,
  query,
}: Pick<Definition<z.ZodObject, z.ZodType>, 'answers' | 'query'>): Record<number, RouteAnswer> {
  const ofList = query !== undefined && 'cursor' in query.shape ? PAGE_HEADERS : {}
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, content, headers = {} }]) => [
      Number(status),
      {
        description,
        headers: { ...RATE_HEADERS, ...ofList, ...headers },
        ...(content ? { content } : schema ? { content: jsonContent(schema) } : {}),
      },
    ]),
  )
}
