// A route as a value: everything that serves, refuses and documents it reads the same one. Nothing
// here knows what the routes are of.
import { z } from 'zod'
import type { Sees } from '../../../schemas/rights/sees.ts'
import { MAX_FETCH_BODY_BYTES } from '../fetch-request.ts'

/** HEAD is served wherever GET is; every other method is refused. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `token`: a secret of the call's own in its address or headers. The edge of a surface checks
 *  the right that a call brings; the document tells it. */
export type Right = 'anonymous' | 'token' | 'signed-in' | 'operator'

/** Schemas by media type. */
export type Contents = Readonly<Record<string, z.ZodType>>

export type NoBody = { readonly kind: 'none' }

/** Read whole before the handler is called. */
export type BufferedBody = {
  readonly kind: 'buffered'
  readonly maxBytes: number
  /** Told in the document; the handler says what an empty one lacks. */
  readonly isRequired: boolean
  readonly contents: Contents
  /** Media types in which it holds the parameters, instead of the address. */
  readonly parametersAs?: readonly string[]
}

/** Handed over as it comes (`RouteCall.stream`); the route reads and checks it. */
export type StreamedBody = {
  readonly kind: 'streamed'
  readonly maxBytes: number
  readonly isRequired: boolean
  readonly contents: Contents
}

export type RouteBody = NoBody | BufferedBody | StreamedBody

export type RouteAnswer = {
  /** Of one that many routes have: it stands once in the document, under it. */
  readonly name?: string
  readonly description: string
  readonly headers?: Readonly<Record<string, z.ZodType>>
  readonly content?: Contents
}

export type RouteDocument = {
  /** Of the first method; a further one is named `<id>By<Method>`. */
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  /** There is something newer. */
  readonly isDeprecated?: boolean
  /** By status, failures too. What the table refuses by itself need not be told. */
  readonly answers: Readonly<Record<number, RouteAnswer>>
}

export type Route = {
  readonly methods: readonly Method[]
  /** `{name}` stands for one part of the path. */
  readonly path: string
  readonly right: Right
  /** Of one that may change something. */
  readonly sees?: Sees
  /** In the document, in place of what follows from `right`. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** Of the path, by the names in it. */
  readonly pathValues?: Readonly<Record<string, z.ZodType>>
  readonly parameters?: z.ZodObject
  readonly headers?: Readonly<Record<string, z.ZodType>>
  readonly body: RouteBody
  /** `private`: of a channel that is no public interface. */
  readonly document: RouteDocument | 'private'
}

export type RouteCall = {
  readonly request: Request
  /** Of the route: who serves the call checks it. */
  readonly right: Right
  /** Of the client. */
  readonly address: string
  readonly pathValues: Readonly<Record<string, string>>
  /** Empty where there is none, and where it streams. */
  readonly body: Uint8Array
  /** Of a route whose body streams; beyond its limit it ends with BodyTooLarge. */
  readonly stream?: ReadableStream<Uint8Array>
}

export type Handle = (call: RouteCall) => Response | Promise<Response>

export type ServedRoute = Route & { readonly handle: Handle }

/** What a table refuses by itself. */
export type Refusal =
  | { readonly kind: 'unknown_path'; readonly status: 404 }
  | { readonly kind: 'other_method'; readonly status: 405; readonly allowed: readonly Method[] }
  | { readonly kind: 'too_large'; readonly status: 413; readonly maxBytes: number }

/** Routes of one surface, which gives its refusals their shape. */
export type RouteTable<Of extends Route | ServedRoute = ServedRoute> = {
  readonly routes: readonly Of[]
  /** Of the body of a refusal. */
  readonly refusalContent: Contents
  readonly refuse: (refusal: Refusal) => Response
  /** Unknown paths below it are the table's to refuse. */
  readonly prefix?: string
}

export const NO_BODY: NoBody = { kind: 'none' }

/** JSON of so many bytes is parsed and checked within 50 ms, whatever it holds. */
export const MAX_SMALL_BODY_BYTES = 256 * 1024

/** `maxBytes`: default as large as the HTTP engines take one. */
export function wholeBody(
  contents: Contents,
  {
    isRequired,
    maxBytes = MAX_FETCH_BODY_BYTES,
  }: { readonly isRequired: boolean; readonly maxBytes?: number },
): BufferedBody {
  return { kind: 'buffered', maxBytes, isRequired, contents }
}

/** As above, of the parameters: small. */
export function parametersBody(
  parametersAs: readonly string[],
  { isRequired }: { isRequired: boolean },
): BufferedBody {
  return { ...wholeBody({}, { isRequired, maxBytes: MAX_SMALL_BODY_BYTES }), parametersAs }
}

export function hasBody(method: Method): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

export function jsonContent(schema: z.ZodType): Contents {
  return { 'application/json': schema }
}

export function textContent(...types: readonly string[]): Contents {
  return Object.fromEntries(types.map((type) => [type, z.string()]))
}
