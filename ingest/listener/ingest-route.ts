// POST /logeye/api/logger.jsp: from a request to its answer (decisions 2.1-2.9). What can be refused without the body is refused
// before it is read; then decompress, scan, commit, answer. Bytes are cut and copied here, objects of events are never built.
import { createHash } from 'node:crypto'
import type { Clock } from '../../infra/clock.ts'
import type { RawExchange } from '../../infra/http/port.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { type FailureCode, isFailure } from '../../schemas/failures.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import {
  type Answer,
  type Answers,
  type ListenerFailureCode,
  rejectionFailure,
  type Tally,
} from './answer.ts'
import { type ContentEncoding, Decompressor, parseContentEncoding } from './body.ts'
import { type BytesInFlight, REQUEST_OVERHEAD_BYTES } from './bytes-in-flight.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { acceptedIndexes, type Explain } from './explain.ts'
import { type Accounts, findAccount } from './find-account.ts'
import type { GroupCommit } from './group-commit.ts'
import { Newcomers } from './newcomers.ts'
import { partitionOf } from './partition.ts'
import type { Receipts } from './receipt.ts'
import { makeParameterReader, type RequestParameters } from './request-parameters.ts'
import { Reservations } from './reservation.ts'
import { type ScanLimits, type Scanned, Scanner } from './scan/scan.ts'
import { endLastLine, LineScanner } from './scan/scan-lines.ts'
import { MAX_BYTES_AT_ONCE, ScanQueue } from './scan/scan-queue.ts'
import type { Telemetry } from './telemetry.ts'

export type IngestDeps = {
  readonly metastore: Accounts
  readonly clock: Clock
  readonly logger: Logger
  /** Of this node: accounts may be bound to one. */
  readonly nodeName: string
  readonly limits: ScanLimits & { readonly maxBodyBytes: number }
  readonly partitions: number
  readonly commit: GroupCommit
  readonly receipts: Receipts
  readonly answers: Answers
  readonly inFlight: BytesInFlight
  readonly diskReserve: DiskReserve
  readonly telemetry: Telemetry
  readonly explain: Explain
}

/** One request whose body has arrived. */
type Intake = {
  readonly exchange: RawExchange
  readonly account: ListenerAccount
  readonly parameters: RequestParameters
  readonly encoding: ContentEncoding | undefined
  readonly idempotencyKey: string
  /** `Content-Type: text/plain`: each line is an event. */
  readonly isLines: boolean
  readonly receivedMs: number
  readonly peer: string
  /** Taken from what may be in flight; given back with the answer. */
  heldBytes: number
}

type Head = Pick<
  Intake,
  'exchange' | 'account' | 'parameters' | 'encoding' | 'idempotencyKey' | 'isLines'
>
type Events = Extract<Scanned, { kind: 'events' }>

/** Bodies up to this come in one or two pieces. */
const MAX_UNRESERVED_BYTES = 64 * 1024
const MAX_KEY_CHARACTERS = 255
const TEXT_TYPE = /^\s*text\/plain\s*(?:;|$)/i
/** `?debug=1` is for trying out: the events after these are counted, not explained. */
const MAX_EXPLAINED = 1000

export class IngestRoute {
  readonly #deps: IngestDeps
  readonly #readParameters = makeParameterReader()
  readonly #scans = new ScanQueue()
  readonly #decompressor: Decompressor
  readonly #reservations: Reservations
  readonly #newcomers: Newcomers
  #openCount = 0
  #isStopping = false
  #onEmpty: (() => void) | undefined

  constructor(deps: IngestDeps) {
    this.#deps = deps
    this.#decompressor = new Decompressor(deps.limits.maxBodyBytes)
    this.#reservations = new Reservations(deps.inFlight)
    this.#newcomers = new Newcomers(deps)
  }

  readonly handle = (exchange: RawExchange): void => {
    if (exchange.method !== 'POST') {
      this.#deps.telemetry.answered('listener.method_not_allowed')
      send(exchange, this.#deps.answers.methodNotAllowed('POST'))
      return
    }
    let refusal: ListenerFailureCode | undefined
    try {
      refusal = this.#admit(exchange)
    } catch (error) {
      refusal = this.#codeOf(error)
    }
    if (refusal) this.#refuse(exchange, refusal)
  }

  /** To be called about once a second. */
  checkTime(): void {
    this.#reservations.shrinkSlow(this.#deps.clock.elapsedMs())
  }

  /** Refuses what comes from now on; resolves when everything that has arrived is answered, or when the signal aborts. */
  stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true
    if (this.#openCount === 0 || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** Lets the body come, or says why not. */
  #admit(exchange: RawExchange): ListenerFailureCode | undefined {
    const { inFlight, limits } = this.#deps
    const parameters = this.#readParameters(exchange.query)
    const account = findAccount(parameters.token, this.#deps)
    if (account === 'listener.token_invalid') return this.#admitNewcomer(exchange, parameters)
    if (typeof account === 'string') return account
    const refusal = this.#refusalNow()
    if (refusal) return refusal
    // NaN when absent: both comparisons are false then.
    const saidBytes = Number.parseInt(exchange.header('content-length'), 10)
    if (saidBytes > limits.maxBodyBytes) return 'listener.body_too_large'
    if (!inFlight.hasRoom((saidBytes || 0) + REQUEST_OVERHEAD_BYTES)) return 'listener.busy'
    const encoding = parseContentEncoding(exchange.header('content-encoding'))
    const idempotencyKey = cutKey(exchange.header('idempotency-key'))
    const isLines = isText(exchange.header('content-type'))
    const head = { exchange, account, parameters, encoding, idempotencyKey, isLines }
    this.#collect(head, saidBytes || 0)
    return undefined
  }

  /** The token may be new: the body waits until the database has been asked. */
  #admitNewcomer(
    exchange: RawExchange,
    parameters: RequestParameters,
  ): ListenerFailureCode | undefined {
    const saidBytes = Number.parseInt(exchange.header('content-length'), 10)
    const encoding = parseContentEncoding(exchange.header('content-encoding'))
    const idempotencyKey = cutKey(exchange.header('idempotency-key'))
    const isLines = isText(exchange.header('content-type'))
    const leave = saidBytes <= MAX_UNRESERVED_BYTES ? this.#newcomers.enter() : undefined
    if (leave === undefined) return 'listener.token_invalid'
    const decide = (body: Buffer) => {
      const account = findAccount(parameters.token, this.#deps)
      const refusal = typeof account === 'string' ? account : this.#refusalNow()
      if (typeof account === 'string' || refusal !== undefined)
        this.#refuse(exchange, refusal ?? 'listener.internal')
      else this.#receive({ exchange, account, parameters, encoding, idempotencyKey, isLines }, body)
    }
    exchange.onAborted(leave)
    exchange.collectBody(
      MAX_UNRESERVED_BYTES,
      (body) => {
        void this.#newcomers
          .look()
          .then(() => decide(body))
          .catch((error: unknown) => this.#refuse(exchange, this.#codeOf(error)))
          .finally(leave)
      },
      () => {
        leave()
        this.#refuse(exchange, 'listener.token_invalid')
      },
    )
    return undefined
  }

  #collect(head: Head, saidBytes: number): void {
    const { inFlight, limits, clock } = this.#deps
    const { exchange } = head
    if (saidBytes <= MAX_UNRESERVED_BYTES) {
      exchange.collectBody(
        limits.maxBodyBytes,
        (body) => this.#receive(head, body),
        (reason) => this.#refuse(exchange, refusalOf(reason)),
        inFlight,
      )
      return
    }
    const reservation = this.#reservations.open(
      saidBytes + REQUEST_OVERHEAD_BYTES,
      clock.elapsedMs(),
    )
    exchange.onAborted(() => this.#reservations.end(reservation))
    exchange.collectBody(
      limits.maxBodyBytes,
      (body) => {
        this.#reservations.end(reservation)
        this.#receive(head, body)
      },
      (reason) => {
        this.#reservations.end(reservation)
        this.#refuse(exchange, refusalOf(reason))
      },
      reservation,
    )
  }

  /** Why nothing can be taken now, whatever it is. */
  #refusalNow(): ListenerFailureCode | undefined {
    if (this.#isStopping) return 'listener.busy'
    return this.#deps.diskReserve.isReached ? 'listener.disk_reserve' : undefined
  }

  #receive(head: Head, body: Buffer): void {
    const { clock, inFlight } = this.#deps
    const heldBytes = body.length + REQUEST_OVERHEAD_BYTES
    if (this.#isStopping || !inFlight.take(heldBytes)) {
      this.#refuse(head.exchange, 'listener.busy')
      return
    }
    this.#openCount += 1
    const { exchange, encoding } = head
    const { peer } = exchange
    const intake: Intake = { ...head, receivedMs: clock.nowMs(), peer, heldBytes }
    try {
      if (encoding === undefined) this.#scan(intake, body)
      else this.#decompress(intake, encoding, body)
    } catch (error) {
      this.#fail(intake, this.#codeOf(error))
    }
  }

  #decompress(intake: Intake, encoding: ContentEncoding, bytes: Buffer): void {
    const small = this.#decompressor.decompressSmall(encoding, bytes)
    if (small) {
      this.#takeDecompressed(intake, small)
      return
    }
    this.#decompressor
      .decompress(encoding, bytes)
      .then((body) => this.#takeDecompressed(intake, body))
      .catch((error: unknown) => this.#fail(intake, this.#codeOf(error)))
  }

  #takeDecompressed(intake: Intake, body: Buffer): void {
    const { inFlight } = this.#deps
    inFlight.give(intake.heldBytes)
    intake.heldBytes = body.length + REQUEST_OVERHEAD_BYTES
    if (inFlight.take(intake.heldBytes)) this.#scan(intake, body)
    else {
      intake.heldBytes = 0
      this.#fail(intake, 'listener.busy')
    }
  }

  #scan(intake: Intake, received: Buffer): void {
    const { limits } = this.#deps
    const body = intake.isLines ? endLastLine(received) : received
    const scanner = intake.isLines ? new LineScanner(body, limits) : new Scanner(body, limits)
    if (body.length <= MAX_BYTES_AT_ONCE) {
      scanner.run(body.length)
      this.#judge(intake, body, scanner.result())
    } else this.#scans.add(scanner, (scanned) => this.#judge(intake, body, scanned))
  }

  #judge(intake: Intake, body: Buffer, scanned: Scanned): void {
    if (scanned.kind === 'refused') this.#refuseWhole(intake, scanned)
    else if (scanned.ranges.length === 0) this.#refuseAll(intake, scanned.rejections)
    else if (intake.parameters.isDebug) this.#explain(intake, body, scanned)
    else this.#commit(intake, body, scanned)
  }

  /** An array is one document: the events before its break are refused with it. */
  #refuseWhole(intake: Intake, refused: Extract<Scanned, { kind: 'refused' }>): void {
    if (refused.code === 'too_many_events') this.#fail(intake, 'listener.too_many_events')
    else {
      const { code, index } = refused
      const tally: Tally = { received: index + 1, accepted: 0, rejections: [{ index, code }] }
      this.#fail(intake, 'listener.invalid_json', tally)
    }
  }

  /** Nothing acceptable: nothing is stored, and the answer says why by its first event. */
  #refuseAll(intake: Intake, rejections: Events['rejections']): void {
    const [first] = rejections
    const tally: Tally = { received: rejections.length, accepted: 0, rejections }
    this.#fail(intake, first ? rejectionFailure(first.code) : 'listener.no_data', tally)
  }

  #commit(intake: Intake, body: Buffer, scanned: Events): void {
    const { account, parameters, peer } = intake
    const { commit, partitions, receipts, answers, telemetry } = this.#deps
    const partition = partitionOf(account.id, parameters.hostName || peer, partitions)
    if (commit.isHanging(partition)) {
      this.#fail(intake, 'listener.event_log_unavailable')
      return
    }
    const request = {
      accountId: account.id,
      accountVersion: account.version,
      receivedMs: intake.receivedMs,
      hostName: parameters.hostName,
      peer,
      idempotencyKey: intake.idempotencyKey,
      body,
      ranges: scanned.ranges,
      rejections: scanned.rejections,
    }
    commit.add(partition, request, (committed) => {
      if (committed.kind === 'failed') {
        telemetry.undecided(tallyOf(scanned).received)
        this.#fail(intake, committed.code)
        return
      }
      const tally = tallyOf(scanned)
      const { accepted, rejections } = tally
      telemetry.stored({ accepted, rejected: rejections.length, bytes: body.length })
      telemetry.answered(intake.exchange.isAborted ? 'aborted' : 'success')
      this.#end(intake, answers.stored(tally, receipts.print(committed.place, account.id)))
    })
  }

  #explain(intake: Intake, body: Buffer, scanned: Events): void {
    const { answers, explain, telemetry } = this.#deps
    const { account, receivedMs, peer, parameters } = intake
    const ranges = scanned.ranges.slice(0, 2 * MAX_EXPLAINED)
    const indexes = acceptedIndexes(ranges.length / 2, scanned.rejections)
    explain({ account, receivedMs, hostName: parameters.hostName, peer, body, ranges })
      .then((events) => {
        const answer = answers.explained(tallyOf(scanned), events, indexes)
        telemetry.answered('explained')
        this.#end(intake, answer)
      })
      .catch((error: unknown) => this.#fail(intake, this.#codeOf(error)))
  }

  #refuse(exchange: RawExchange, code: ListenerFailureCode): void {
    this.#deps.telemetry.answered(code)
    send(exchange, this.#deps.answers.failed(code))
  }

  #fail(intake: Intake, code: ListenerFailureCode, tally?: Tally): void {
    this.#deps.telemetry.answered(code)
    this.#end(intake, this.#deps.answers.failed(code, tally))
  }

  #end(intake: Intake, answer: Answer): void {
    this.#deps.inFlight.give(intake.heldBytes)
    this.#openCount -= 1
    send(intake.exchange, answer)
    if (this.#openCount === 0) this.#onEmpty?.()
  }

  #codeOf(error: unknown): ListenerFailureCode {
    if (isFailure(error)) {
      if (isOwn(error.code)) return error.code
      if (error.entry.retriable) return 'listener.accounts_unavailable'
    }
    this.#deps.logger.error('ingest request failed', describeError(error))
    return 'listener.internal'
  }
}

function refusalOf(reason: 'limit' | 'budget'): ListenerFailureCode {
  return reason === 'limit' ? 'listener.body_too_large' : 'listener.busy'
}

function isOwn(code: FailureCode): code is ListenerFailureCode {
  return code.startsWith('listener.')
}

function tallyOf({ ranges, rejections }: Events): Tally {
  const accepted = ranges.length / 2
  return { received: accepted + rejections.length, accepted, rejections }
}

/** Of the media type alone: a charset changes nothing, bytes are kept as they are. */
function isText(contentType: string): boolean {
  return TEXT_TYPE.test(contentType)
}

/** A longer key is as good by its hash, and a block stays small. */
function cutKey(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}

function send(exchange: RawExchange, answer: Answer): void {
  exchange.answer(answer.status, answer.headers, answer.body)
}
