// One input's way from a request to its answer (decisions 2.1-2.9). What can be refused without the
// body is refused before it is read; then decompress, scan, commit, answer. Bytes are cut and
// copied here, objects of events are never built.
import type { Clock } from '../../../infra/clock.ts'
import type { RawExchange } from '../../../infra/http/port.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import { isFailure } from '../../../schemas/failures.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import type { Admission, Stay } from '../admission/admission.ts'
import { type ContentEncoding, type Decompressor, parseContentEncoding } from '../admission/body.ts'
import { cutIdempotencyKey } from '../admission/idempotency-key.ts'
import {
  isListenerFailure,
  type ListenerFailureCode,
  rejectionFailure,
  type Tally,
} from '../admission/outcome.ts'
import { scannedBytes } from '../admission/scanned-bytes.ts'
import type { Commit } from '../commit/commit.ts'
import { acceptedIndexes, type Explain } from '../explain.ts'
import { MaskScanner, type Masks } from '../masking/mask-request.ts'
import type { Scanned } from '../scan/scan.ts'
import { MAX_BYTES_AT_ONCE, type ScanQueue } from '../scan/scan-queue.ts'
import type { Telemetry } from '../telemetry.ts'
import type { Answer, AnswerLimits, AnswerPrinter, Input, ReadBody } from './input.ts'
import type { RequestParameters } from './request-parameters.ts'

export type InputDeps = {
  readonly clock: Clock
  readonly logger: Logger
  readonly limits: AnswerLimits
  readonly admission: Admission
  readonly decompressor: Decompressor
  readonly scans: ScanQueue
  readonly commit: Commit
  readonly telemetry: Telemetry
  readonly explain: Explain
  readonly masks: Masks
}

/** What is read from a request before its body. */
type Head = {
  readonly parameters: RequestParameters
  readonly readBody: ReadBody
  readonly encoding: ContentEncoding | undefined
  readonly idempotencyKey: string
  /** Read in the first turn: an exchange that is aborted has none. */
  readonly peer: string
}

/** One request whose body has arrived. */
type Intake = Head & {
  readonly exchange: RawExchange
  readonly account: ListenerAccount
  readonly receivedMs: number
  readonly stay: Stay
}

type Events = Extract<Scanned, { kind: 'events' }>

/** Bodies up to this come in one or two pieces. */
const MAX_UNRESERVED_BYTES = 64 * 1024
/** Hiding takes some times as long as a scan. */
const MAX_MASKED_AT_ONCE = 64 * 1024
/** `?debug=1` is for trying out: the events after these are counted, not explained. */
const MAX_EXPLAINED = 1000

export class InputRoute {
  readonly #input: Input
  readonly #deps: InputDeps
  readonly #printer: AnswerPrinter

  constructor(input: Input, deps: InputDeps) {
    this.#input = input
    this.#deps = deps
    this.#printer = input.makePrinter(deps.limits)
  }

  readonly handle = (exchange: RawExchange): void => {
    if (exchange.method !== 'POST') {
      this.#deps.telemetry.answered('listener.method_not_allowed')
      send(exchange, this.#printer.methodNotAllowed('POST'))
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

  /** Lets the body come, or says why not. */
  #admit(exchange: RawExchange): ListenerFailureCode | undefined {
    const { admission } = this.#deps
    const parameters = this.#input.readParameters(exchange)
    const account = admission.findAccount(parameters.token)
    const isNewcomer = account === 'listener.token_invalid'
    const barred = typeof account === 'string' ? undefined : this.#bar(account, exchange.peer)
    if (barred !== undefined) return barred
    if (typeof account === 'string' && !isNewcomer) return account
    // NaN when absent: comparisons are false then.
    const saidBytes = Number.parseInt(exchange.header('content-length'), 10)
    const refusal = isNewcomer ? undefined : admission.refusalOf(saidBytes)
    if (refusal) return refusal
    const readBody = this.#input.chooseBody(exchange)
    if (typeof readBody === 'string')
      return isNewcomer ? admission.newcomers.refuse(parameters.token) : readBody
    const encoding = parseContentEncoding(exchange.header('content-encoding'))
    const idempotencyKey = cutIdempotencyKey(exchange.header('idempotency-key'))
    const { peer } = exchange
    const head = { parameters, readBody, encoding, idempotencyKey, peer }
    if (typeof account === 'string') return this.#admitNewcomer(exchange, head, saidBytes)
    this.#collect(exchange, account, head, saidBytes || 0)
    return undefined
  }

  /** Why the account takes nothing from there, or nothing now. */
  #bar(account: ListenerAccount, peer: string): ListenerFailureCode | undefined {
    const { accounts } = this.#deps.admission
    // As an unknown token: who may not send need not know of it.
    if (!accounts.mayComeFrom(account, peer)) return 'listener.token_invalid'
    return accounts.refusalOf(account)
  }

  /** The token may be new: the body waits until the database has been asked. */
  #admitNewcomer(
    exchange: RawExchange,
    head: Head,
    saidBytes: number,
  ): ListenerFailureCode | undefined {
    const { admission } = this.#deps
    const { newcomers } = admission
    const { token } = head.parameters
    // Chunked ones are taken in up to the same size.
    const leave = saidBytes > MAX_UNRESERVED_BYTES ? undefined : newcomers.enter()
    if (leave === undefined) return newcomers.refuse(token)
    const decide = (body: Buffer) => {
      const account = admission.findAccount(token)
      const refusal = admission.refusalNow()
      const barred = typeof account === 'string' ? undefined : this.#bar(account, head.peer)
      if (typeof account === 'string') this.#refuse(exchange, account)
      else if (barred !== undefined) this.#refuse(exchange, barred)
      else if (refusal !== undefined) this.#refuse(exchange, refusal)
      else this.#receive(exchange, account, head, body)
    }
    exchange.onAborted(leave)
    exchange.collectBody(
      MAX_UNRESERVED_BYTES,
      (body) => {
        void newcomers
          .look()
          .then(() => decide(body))
          .catch((error: unknown) => this.#refuse(exchange, this.#codeOf(error)))
          .finally(leave)
      },
      () => {
        leave()
        this.#refuse(exchange, newcomers.refuse(token))
      },
    )
    return undefined
  }

  #collect(exchange: RawExchange, account: ListenerAccount, head: Head, saidBytes: number): void {
    const { admission } = this.#deps
    if (saidBytes <= MAX_UNRESERVED_BYTES) {
      exchange.collectBody(
        admission.maxBodyBytes,
        (body) => this.#receive(exchange, account, head, body),
        (reason) => this.#refuse(exchange, refusalOf(reason)),
        admission.inFlight,
      )
      return
    }
    const reservation = admission.reserve(saidBytes)
    exchange.onAborted(() => admission.release(reservation))
    exchange.collectBody(
      admission.maxBodyBytes,
      (body) => {
        admission.release(reservation)
        this.#receive(exchange, account, head, body)
      },
      (reason) => {
        admission.release(reservation)
        this.#refuse(exchange, refusalOf(reason))
      },
      reservation,
    )
  }

  #receive(exchange: RawExchange, account: ListenerAccount, head: Head, body: Buffer): void {
    const { clock, admission } = this.#deps
    const stay = admission.enter(body.length)
    if (stay === undefined) {
      this.#refuse(exchange, 'listener.busy')
      return
    }
    const intake: Intake = { ...head, exchange, account, receivedMs: clock.nowMs(), stay }
    try {
      if (head.encoding === undefined) this.#scan(intake, body)
      else this.#decompress(intake, head.encoding, body)
    } catch (error) {
      this.#fail(intake, this.#codeOf(error))
    }
  }

  #decompress(intake: Intake, encoding: ContentEncoding, bytes: Buffer): void {
    const { decompressor } = this.#deps
    const small = decompressor.decompressSmall(encoding, bytes)
    if (small) {
      this.#takeDecompressed(intake, small)
      return
    }
    decompressor
      .decompress(encoding, bytes)
      .then((body) => this.#takeDecompressed(intake, body))
      .catch((error: unknown) => this.#fail(intake, this.#codeOf(error)))
  }

  #takeDecompressed(intake: Intake, body: Buffer): void {
    if (this.#deps.admission.resize(intake.stay, body.length)) this.#scan(intake, body)
    else this.#fail(intake, 'listener.busy')
  }

  #scan(intake: Intake, received: Buffer): void {
    const { limits, scans } = this.#deps
    const { body, scanner } = intake.readBody(received, limits, intake.account)
    if (body.length <= MAX_BYTES_AT_ONCE && scanner.run(body.length)) {
      this.#judge(intake, body, scanner.result())
    } else {
      scans.add(scanner, {
        done: (scanned) => this.#judge(intake, body, scanned),
        fail: (error) => this.#fail(intake, this.#codeOf(error)),
      })
    }
  }

  #judge(intake: Intake, body: Buffer, scanned: Scanned): void {
    if (scanned.kind === 'refused') this.#refuseWhole(intake, scanned)
    else if (scanned.ranges.length === 0) this.#refuseAll(intake, scanned.rejections)
    else if (!this.#hold(intake, body, scanned)) this.#fail(intake, 'listener.busy')
    else this.#mask(intake, body, scanned)
  }

  /** Nothing behind this sees what the account's rules hide. */
  #mask(given: Intake, body: Buffer, scanned: Events): void {
    const { masks, scans } = this.#deps
    const mask = masks.of(given.account)
    if (mask === undefined) {
      this.#take(given, body, scanned)
      return
    }
    const { hostName, peer, idempotencyKey } = masks.sender(
      mask,
      { ...given, ...given.parameters },
      body,
    )
    const parameters = { ...given.parameters, hostName }
    const intake = { ...given, parameters, peer, idempotencyKey }
    const scanner = new MaskScanner(mask, body, scanned)
    const done = () => {
      const masked = scanner.result()
      if (!this.#hold(intake, masked.body, masked)) this.#fail(intake, 'listener.busy')
      else if (masked.body.length > this.#deps.admission.maxBodyBytes)
        this.#fail(intake, 'listener.body_too_large')
      else this.#take(intake, masked.body, masked)
    }
    if (body.length <= MAX_MASKED_AT_ONCE && scanner.run(Number.POSITIVE_INFINITY)) done()
    else scans.add(scanner, { done, fail: (error) => this.#fail(intake, this.#codeOf(error)) })
  }

  #take(intake: Intake, body: Buffer, scanned: Events): void {
    if (intake.parameters.isDebug) this.#explain(intake, body, scanned)
    else this.#commit(intake, body, scanned)
  }

  /** False: there is no room for what the scan found. */
  #hold({ stay }: Intake, body: Buffer, scanned: Events): boolean {
    const bytes = scannedBytes(scanned)
    const isSame = bytes === 0 && stay.heldBytes >= body.length
    return isSame || this.#deps.admission.resize(stay, body.length + bytes)
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
    const { commit, telemetry, admission } = this.#deps
    const count = scanned.ranges.length / 2 + scanned.rejections.length
    admission.accounts.take(intake.account, count, body.length)
    const events = {
      account: intake.account,
      receivedMs: intake.receivedMs,
      hostName: intake.parameters.hostName,
      peer: intake.peer,
      idempotencyKey: intake.idempotencyKey,
      form: this.#input.form.name,
      body,
      ranges: scanned.ranges,
      rejections: scanned.rejections,
      origins: scanned.origins,
    }
    commit.commitEvents(events, (outcome) => {
      if (outcome.kind === 'failed') {
        this.#fail(intake, outcome.code)
        return
      }
      telemetry.answered(intake.exchange.isAborted ? 'aborted' : 'success')
      this.#end(intake, this.#printer.stored(tallyOf(scanned), outcome.receipt))
    })
  }

  #explain(intake: Intake, body: Buffer, scanned: Events): void {
    const { explain, telemetry } = this.#deps
    const { account, receivedMs, peer, parameters } = intake
    const { hostName } = parameters
    const ranges = scanned.ranges.slice(0, 2 * MAX_EXPLAINED)
    const indexes = acceptedIndexes(ranges.length / 2, scanned.rejections)
    const { origins } = scanned
    const form = this.#input.form.name
    explain({ account, receivedMs, hostName, peer, form, body, ranges, origins })
      .then((events) => {
        const answer = this.#printer.explained(tallyOf(scanned), events, indexes)
        telemetry.answered('explained')
        this.#end(intake, answer)
      })
      .catch((error: unknown) => this.#fail(intake, this.#codeOf(error)))
  }

  #refuse(exchange: RawExchange, code: ListenerFailureCode): void {
    this.#deps.telemetry.answered(code)
    send(exchange, this.#printer.failed(code))
  }

  #fail(intake: Intake, code: ListenerFailureCode, tally?: Tally): void {
    this.#deps.telemetry.answered(code)
    this.#end(intake, this.#printer.failed(code, tally))
  }

  #end(intake: Intake, answer: Answer): void {
    const { admission } = this.#deps
    // Answered before, in what threw then.
    if (!admission.leave(intake.stay)) return
    send(intake.exchange, answer)
    admission.noteLeft()
  }

  #codeOf(error: unknown): ListenerFailureCode {
    if (isFailure(error)) {
      if (isListenerFailure(error.code)) return error.code
      if (error.entry.retriable) return 'listener.accounts_unavailable'
    }
    this.#deps.logger.error('ingest request failed', describeError(error))
    return 'listener.internal'
  }
}

function refusalOf(reason: 'limit' | 'budget'): ListenerFailureCode {
  return reason === 'limit' ? 'listener.body_too_large' : 'listener.busy'
}

function tallyOf({ ranges, rejections }: Events): Tally {
  const accepted = ranges.length / 2
  return { received: accepted + rejections.length, accepted, rejections }
}

function send(exchange: RawExchange, answer: Answer): void {
  exchange.answer(answer.status, answer.headers, answer.body)
}
