// The one door to the HTTP engines (uWebSockets.js in uws/, node:http in node/; engine.ts chooses).
// A server mounts raw routes (the ingest path: bytes in, bytes out) and one fetch handler (a Hono
// app) for everything else. Nothing outside this folder knows them.
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'

/** Memory that unfinished bodies may hold together. `take` false: there is no room, the body is
 *  refused. */
export interface BodyBudget {
  take(bytes: number): boolean
  give(bytes: number): void
}

export interface RawExchange {
  /** Upper case. */
  readonly method: string
  /** Without '?'; '' when absent. Never logged. */
  readonly query: string
  /** Lower-case name; '' when absent. Only in the handler's first synchronous turn. */
  header(name: string): string
  /** Client address as text; behind trusted proxies the right-most address of X-Forwarded-For that
   *  is not a trusted proxy (decision 3.1). Not after the answer. */
  readonly peer: string
  /**
   * Collects the body, copied. `onTooLarge` instead of `onBody` as soon as `maxBytes` are passed;
   * the rest is drained and dropped. Neither after an abort. Only in the handler's first
   * synchronous turn, at most once. With a `budget` the bytes are taken from it as they arrive and
   * given back just before `onBody` (whose receiver then counts them), at an abort and at a
   * refusal; no room there calls `onTooLarge('budget')`.
   */
  collectBody(
    maxBytes: number,
    onBody: (body: Buffer) => void,
    onTooLarge: (reason: 'limit' | 'budget') => void,
    budget?: BodyBudget,
  ): void
  /** Called at most once, and never after an answer. */
  onAborted(listener: () => void): void
  readonly isAborted: boolean
  /** Once; ignored after an abort. Waits for the body to be drained first. */
  answer(
    status: number,
    headers: readonly (readonly [string, string])[],
    body: string | Uint8Array,
  ): void
}

export type RawRoute = { readonly path: string; readonly handle: (exchange: RawExchange) => void }

/** `path`: as it was sent. */
export type StreamsBody = (method: string, path: string) => boolean

export type HttpServerOptions = {
  /** '' listens on every address. */
  readonly address: string
  /** 0 takes a free one. */
  readonly port: number
  /** Given: HTTPS only. A renewed pair is taken without a lost connection. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string }
  readonly trustedProxies: readonly string[]
  readonly sharePort: boolean
  readonly rawRoutes: readonly RawRoute[]
  /** Which requests to `fetch` have their body handed over as a stream, however large, instead of
   *  whole. Of node:http alone: the other engine refuses to open with it. */
  readonly streamsBody?: StreamsBody
  /** Everything else. The request's `signal` aborts when the client goes away. Bodies up to 1
   *  MiB. */
  readonly fetch: (request: Request, client: { address: string }) => Response | Promise<Response>
  readonly logger: Logger
  /** For the limits of uploads on node:http; default: the system's. */
  readonly clock?: Clock
}

export interface HttpServer {
  readonly port: number
  /** Refuses new connections, answers what is open for at most `graceMs`, then closes. */
  stop(graceMs: number): Promise<void>
}
