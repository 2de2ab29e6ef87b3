// One call of an endpoint: its parameters and window, in its turn of the queue and within its time,
// with the warnings that it met.
import type { z } from 'zod'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { Failure } from '../../schemas/failures.ts'
import type { Warning } from '../../schemas/warning.ts'
import { readCallZone } from '../edge/call-zone.ts'
import { findDamageWarnings, findQueryWarnings, type WarningDeps } from '../edge/find-warnings.ts'
import { openTurn, type TurnEdge } from '../edge/open-turn.ts'
import { readStyle } from '../edge/read-style.ts'
import type { SearchAudit } from '../edge/search-audit.ts'
import type { EdgeCall } from '../edge/surface.ts'
import type { FilterInput, Statement } from '../language/compile-filter.ts'
import { readOnce } from '../language/read-query.ts'
import { askWithin } from '../search/ask-within.ts'
import { collect } from '../search/collect.ts'
import { cutWarning } from '../search/cut-warning.ts'
import { hintsOf } from '../search/looks.ts'
import type { TurnDeps } from '../search/run-in-turn.ts'
import { readVisibleScope, type VisibleScope } from '../search/visible-scope.ts'
import { beginWordHints, runWithHints } from '../search/word-warnings.ts'
import type { ReadArrived } from './arrived.ts'
import type { Endpoint, ReadCall } from './endpoint.ts'
import { filterInput } from './filter-input.ts'
import { ALL_TIME, auditRead, type Heard } from './json-surface.ts'
import type { PlaceCodec } from './place-codec.ts'
import { type JsonGiven, parseGiven } from './read-parameters.ts'
import { readWindow, readZoneName, type WindowParameters } from './read-window.ts'
import { workInTurn } from './work-in-turn.ts'

export type EndpointDeps = TurnDeps &
  TurnEdge &
  WarningDeps & {
    readonly metastore: OpenedMetastore
    readonly audit: SearchAudit
    readonly limits: {
      readonly defaultTimeoutMs: number
      readonly maxTimeoutMs: number
      readonly hintsWithinMs: number
    }
    readonly places: PlaceCodec
    readonly readArrived: ReadArrived
  }

/** What the parameters of an endpoint may hold. */
type Common = WindowParameters & {
  readonly query?: string | undefined
  readonly timeZone?: string | undefined
  readonly timeout?: number | undefined
  readonly searchId?: string | undefined
}

export async function runEndpoint<Parameters extends z.ZodObject, Answer extends z.ZodObject>(
  endpoint: Endpoint<Parameters, Answer>,
  call: EdgeCall<JsonGiven>,
  deps: EndpointDeps,
): Promise<object> {
  const heard = auditRead(endpoint.name, call, deps.audit)
  const parameters = parseGiven(endpoint.parameters, call.given)
  const { answer, scope, filter, words } = await run({ endpoint, parameters, heard }, call, deps)
  const { query } = heard
  const window = isWhole(parameters) ? heard.window : ALL_TIME
  const { user } = call.signedIn
  const ofQuery = endpoint.isDraft ? [] : findQueryWarnings(filter(query, window))
  const damage = await findDamageWarnings({ query, window }, user, deps, scope)
  return { ...answer, warnings: [...ofQuery, ...words, ...damage] }
}

/** A cursor has a window of its own. */
function isWhole(parameters: { readonly cursor?: unknown }): boolean {
  return parameters.cursor === undefined
}

function zoneCall({ request, signedIn }: EdgeCall<JsonGiven>, { query }: Common) {
  return { request, reader: signedIn.user, query }
}

type Answered = {
  readonly answer: object
  readonly scope: VisibleScope
  readonly filter: ReadCall<unknown>['filter']
  readonly words: readonly Warning[]
}

async function run<Parameters extends z.ZodObject, Answer extends z.ZodObject>(
  given: {
    readonly endpoint: Endpoint<Parameters, Answer>
    readonly parameters: z.output<Parameters>
    readonly heard: Heard
  },
  call: EdgeCall<JsonGiven>,
  deps: EndpointDeps,
): Promise<Answered> {
  const { endpoint, parameters, heard } = given
  const { signedIn, nowMs, asked } = call
  const { metastore, places, readArrived } = deps
  const common: Common = parameters
  heard.query = common.query ?? ''
  heard.searchId = common.searchId
  asked.timeoutMs = readTimeout(common, deps.limits)
  const zone = readZoneName(common) ?? (await readCallZone(metastore, zoneCall(call, common)))
  const style = readStyle(metastore, zone)
  const window = readWindow(common, { nowMs, ...style })
  heard.window = window
  const { turn, close } = await openTurn(call, { searchId: common.searchId }, deps)
  try {
    const scope = await readVisibleScope(metastore, signedIn.user)
    const reads = new Map<string, FilterInput['read']>()
    const filter: Answered['filter'] = (text, otherWindow = window, otherNowMs = nowMs) => {
      const input = filterInput(text, { window: otherWindow, nowMs: otherNowMs }, scope, style)
      const read = reads.get(text) ?? readOnce(input).read
      reads.set(text, read)
      return { ...input, read }
    }
    const ask = (statement: Statement, late: AbortSignal) => {
      const signal = AbortSignal.any([turn.signal, late])
      return workInTurn({ ...turn, signal }, deps, (store) => collect(store.stream(statement)))
    }
    const { hintsWithinMs } = deps.limits
    const running = endpoint.run({
      parameters,
      ...{ signedIn, window, nowMs, style, scope, places, readArrived, filter },
      maxAnswerBytes: metastore.setting('widgets.searchAPI.maxInlineBytes'),
      inTurn: (work) => workInTurn(turn, deps, work),
      hint: (statement) => askWithin(hintsWithinMs, (late) => ask(statement, late), deps.clock),
    })
    const { hasFound } = endpoint
    const { found: answer, words } =
      hasFound !== undefined && isWhole(parameters)
        ? await runWithHints(running, hasFound, () =>
            beginWordHints(
              () => hintsOf(filter(heard.query)),
              { withinMs: hintsWithinMs },
              ask,
              deps.clock,
            ),
          )
        : { found: await running, words: [] }
    const rows = call.given.values.has('limit') ? undefined : endpoint.cutRows?.(answer)
    const cut = rows === undefined ? [] : [cutWarning(rows, 'limit', true)]
    return { answer, scope, filter, words: [...words, ...cut] }
  } finally {
    close()
  }
}

function readTimeout(
  { timeout }: Common,
  { defaultTimeoutMs, maxTimeoutMs }: EndpointDeps['limits'],
): number {
  if (timeout === undefined || timeout <= maxTimeoutMs) return timeout ?? defaultTimeoutMs
  const reason = `must be at most ${maxTimeoutMs}`
  throw new Failure('search.parameter', { parameter: 'timeout', reason })
}
