// tail: events as they arrive, as server-sent events. It reads by the positions that the writer has
// committed, not by the time of the events: each matching event comes exactly once, late ones too,
// whatever ends and starts again meanwhile. What is not yet sent is not yet read: a slow client
// costs the memory of one piece, and goes on where it stands.

import type { SignedIn } from '../../../infra/access/signed-in.ts'
import { requireStillSignedIn } from '../../../infra/access/still-signed-in.ts'
import { FairQueue } from '../../../infra/fair-queue.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import type { UserRecord } from '../../../schemas/users.ts'
import { findQueryWarnings } from '../../edge/find-warnings.ts'
import { readStyle } from '../../edge/read-style.ts'
import type { FilterInput } from '../../language/compile-filter.ts'
import type { Arrived } from '../../language/event-place.ts'
import { readOnce } from '../../language/read-query.ts'
import { compileArrivals } from '../../language/reads/compile-event-reads.ts'
import { readVisibleScope } from '../../search/visible-scope.ts'
import { pad } from '../arrived.ts'
import { type EventReader, makeEventReader, type PlacedEvent } from '../event-answer.ts'
import { toErrorEnvelope } from '../failed-answer.ts'
import { filterInput } from '../filter-input.ts'
import { ALL_TIME } from '../json-surface.ts'
import type { EndpointDeps } from '../run-endpoint.ts'
import { workInTurn } from '../work-in-turn.ts'

export type TailDeps = EndpointDeps & { readonly maxTails: number }

export type TailRequest = {
  readonly query: string
  readonly signedIn: SignedIn
  /** Where to go on; undefined: with what arrives from now on. */
  readonly from: Arrived | undefined
  readonly signal: AbortSignal
}

/** Events of one read. */
const PIECE_EVENTS = 500
/** UTF-16 units, about: what an open tail may hold. */
const PIECE_LENGTH = 1024 * 1024
const LEAST_PAUSE_MS = 150
/** Many tails look less often each; still within the second that a tail may be behind. */
const PAUSE_A_TAIL_MS = 25
const MOST_PAUSE_MS = 600
const HEARTBEAT_MS = 10_000
const READ_TIMEOUT_MS = 10_000
/** A token that is removed ends what it opened, too. */
const SIGNED_IN_EVERY_MS = 1000
const RETRY_MS = 1000
/** Reads of a tail that may fail one after the other because of its filter. */
const MAX_SLOW_READS = 3
const READS_AT_ONCE = 2

export class Tails {
  readonly #deps: TailDeps
  /** Short reads, beside the searches: they must not wait behind a long one. */
  readonly #queue: FairQueue
  readonly #open = new Map<number, number>()
  #count = 0

  constructor(deps: TailDeps) {
    this.#deps = deps
    this.#queue = new FairQueue({ maxRunning: READS_AT_ONCE, maxWaiting: deps.maxTails })
  }

  get count(): number {
    return this.#count
  }

  /** Pieces of the stream, endless. Throws search.busy when too many are open, search.query. */
  async open(request: TailRequest): Promise<AsyncGenerator<string>> {
    const { readArrived } = this.#deps
    const leave = this.#enter(request.signedIn.user.id)
    // Also when nobody begins to read.
    request.signal.addEventListener('abort', leave, { once: true })
    try {
      const now = await readArrived()
      // A wrong filter is refused before the stream begins.
      const { input } = await this.#compile(request, request.signedIn.user, {
        ...{ partition: 0, from: START, to: START },
      })
      return this.#run(request, request.from ?? now, printWarnings(input), leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  /** With the rights of now. Fails with sign_in.failed. */
  #reader({ signedIn }: TailRequest): Promise<UserRecord> {
    return requireStillSignedIn(signedIn, this.#deps)
  }

  /** A user has at most a quarter of all places. */
  #enter(userId: number): () => void {
    const { maxTails } = this.#deps
    const own = this.#open.get(userId) ?? 0
    if (this.#count >= maxTails || own >= Math.ceil(maxTails / 4)) throw new Failure('search.busy')
    this.#count += 1
    this.#open.set(userId, own + 1)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#count -= 1
      const left = (this.#open.get(userId) ?? 1) - 1
      if (left === 0) this.#open.delete(userId)
      else this.#open.set(userId, left)
    }
  }

  async *#run(
    request: TailRequest,
    from: Arrived,
    warnings: string,
    leave: () => void,
  ): AsyncGenerator<string> {
    const { clock } = this.#deps
    const { signal } = request
    try {
      let reached = from
      let spokeMs = clock.elapsedMs()
      let reader = await this.#reader(request)
      let lookedMs = spokeMs
      let slowReads = 0
      yield `retry: ${RETRY_MS}\nid: ${this.#printPosition(reached)}\n\n${warnings}`
      while (!signal.aborted) {
        try {
          if (clock.elapsedMs() - lookedMs >= SIGNED_IN_EVERY_MS) {
            reader = await this.#reader(request)
            lookedMs = clock.elapsedMs()
          }
          const piece = await this.#next(request, reader, reached)
          slowReads = 0
          reached = piece.reached
          if (piece.text !== '') {
            yield piece.text
            spokeMs = clock.elapsedMs()
          }
          if (piece.hasMore) continue
        } catch (error) {
          if (signal.aborted) return
          slowReads = isSlow(error) ? slowReads + 1 : slowReads
          if (!isPassing(error) || slowReads >= MAX_SLOW_READS) throw error
        }
        if (clock.elapsedMs() - spokeMs >= HEARTBEAT_MS) {
          // Tells the client how far it is without an event.
          yield `: heartbeat\nid: ${this.#printPosition(reached)}\n\n`
          spokeMs = clock.elapsedMs()
        }
        const pauseMs = Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS + this.#count * PAUSE_A_TAIL_MS)
        await clock.sleep(pauseMs, signal)
      }
    } catch (error) {
      if (signal.aborted) return
      const { error: details } = toErrorEnvelope(error, READ_TIMEOUT_MS)
      yield `event: error\ndata: ${JSON.stringify(details)}\n\n`
      if (!isFailure(error)) throw error
    } finally {
      leave()
    }
  }

  /** The next events that match, no more than a piece, of the first partition that has news. */
  async #next(request: TailRequest, reader: UserRecord, reached: Arrived): Promise<Piece> {
    const { readArrived } = this.#deps
    const arrived = await readArrived()
    const known = pad(reached, arrived.length)
    const partition = arrived.findIndex((to, at) => isBehind(known[at], to))
    const from = known[partition]
    const to = arrived[partition]
    if (from === undefined || to === undefined) return { text: '', reached: known, hasMore: false }
    const { statement, read } = await this.#compile(request, reader, { partition, from, to })
    const deps = { ...this.#deps, queue: this.#queue }
    const deadlineMs = deps.clock.elapsedMs() + READ_TIMEOUT_MS
    const turn = { userId: reader.id, deadlineMs, signal: request.signal }
    const events = await workInTurn(turn, deps, (store) => readPiece(store.stream(statement), read))
    const isCut = events.length === PIECE_EVENTS || lengthOf(events) >= PIECE_LENGTH
    const last = events.at(-1)?.place
    const end = isCut && last ? { offset: last.offset, index: last.index + 1 } : to
    const next = known.with(partition, end)
    const text = events.map((event) => this.#print(event, known, partition)).join('')
    const isDone = !isCut && arrived.every((goal, at) => !isBehind(next[at], goal))
    return { text, reached: next, hasMore: !isDone }
  }

  async #compile(
    { query }: TailRequest,
    reader: UserRecord,
    range: { partition: number; from: Arrived[number]; to: Arrived[number] },
  ) {
    const { clock, metastore, places } = this.#deps
    const { partition, from, to } = range
    // Each time anew: rights, logs and columns change while the tail is open.
    const scope = await readVisibleScope(metastore, reader)
    const style = readStyle(metastore)
    const input = readOnce(
      filterInput(query, { window: ALL_TIME, nowMs: clock.nowMs() }, scope, style),
    )
    const statement = compileArrivals({
      ...input,
      from: { partition, ...from },
      to: { partition, ...to },
      count: PIECE_EVENTS,
    })
    return { input, statement, read: makeEventReader({ names: scope.names, style, places }) }
  }

  #print({ place, event }: PlacedEvent, reached: Arrived, partition: number): string {
    const behind = reached.with(partition, { offset: place.offset, index: place.index + 1 })
    return `id: ${this.#printPosition(behind)}\ndata: ${JSON.stringify(event)}\n\n`
  }

  #printPosition(reached: Arrived): string {
    return this.#deps.places.printPosition(reached)
  }
}

/** What in the query may have been meant otherwise: told at the beginning of each stream. */
function printWarnings(input: FilterInput): string {
  const warnings = findQueryWarnings(input)
  return warnings.length === 0 ? '' : `event: warnings\ndata: ${JSON.stringify(warnings)}\n\n`
}

async function readPiece(
  rows: AsyncIterable<unknown[][]>,
  read: EventReader,
): Promise<PlacedEvent[]> {
  const events: PlacedEvent[] = []
  let length = 0
  for await (const batch of rows)
    for (const row of batch) {
      const placed = read(row)
      events.push(placed)
      length += placed.length
      if (length >= PIECE_LENGTH) return events
    }
  return events
}

function lengthOf(events: readonly PlacedEvent[]): number {
  return events.reduce((sum, { length }) => sum + length, 0)
}

type Piece = { readonly text: string; readonly reached: Arrived; readonly hasMore: boolean }

const START = { offset: 0, index: 0 }

function isBehind(at: Arrived[number] | undefined, goal: Arrived[number]): boolean {
  const { offset, index } = at ?? START
  return offset < goal.offset || (offset === goal.offset && index < goal.index)
}

function isSlow(error: unknown): boolean {
  return isFailure(error) && (error.code === 'store.timeout' || error.code === 'store.memory')
}

/** The store or the database is away, or busy. */
function isPassing(error: unknown): boolean {
  return (
    isFailure(error) && (error.entry.retriable === true || isSlow(error) || PASSING.has(error.code))
  )
}

const PASSING: ReadonlySet<string> = new Set(['store.cancelled', 'store.failed', 'search.busy'])
