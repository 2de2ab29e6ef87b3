// GET /logeye/api/receipt.jsp?token=&receipt=: is what was acknowledged also stored (decision 2.4)?
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import type { RawExchange } from '../../infra/http/port.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { isFailure } from '../../schemas/failures.ts'
import { type Accounts, findAccount } from './admission/find-account.ts'
import { Newcomers } from './admission/newcomers.ts'
import type { ListenerFailureCode } from './admission/outcome.ts'
import type { BlockPlace, Receipts } from './commit/receipt.ts'
import type { Answer } from './inputs/input.ts'
import type { Answers } from './inputs/logger/print-answer.ts'
import { parseParameters } from './inputs/request-parameters.ts'
import type { Telemetry } from './telemetry.ts'

export type ReceiptDeps = {
  readonly eventLog: EventLog
  readonly metastore: Accounts
  readonly clock: Pick<Clock, 'sleep' | 'elapsedMs'>
  readonly logger: Logger
  readonly receipts: Receipts
  readonly answers: Answers
  readonly telemetry: Telemetry
}

export function makeReceiptRoute(deps: ReceiptDeps): (exchange: RawExchange) => void {
  const { answers, receipts, telemetry } = deps
  const newcomers = new Newcomers(deps)
  // Decision 2.4: on any listener node, also of an account that is bound to another.
  const anyNode = { metastore: deps.metastore, logger: deps.logger }
  const send = (exchange: RawExchange, answer: Answer): void =>
    exchange.answer(answer.status, answer.headers, answer.body)
  const refuse = (exchange: RawExchange, code: ListenerFailureCode): void => {
    telemetry.answered(code)
    send(exchange, answers.failed(code))
  }
  const check = async (exchange: RawExchange, place: BlockPlace): Promise<void> => {
    try {
      const isStored = await isPlaceStored(deps.eventLog, place)
      telemetry.answered('receipt')
      send(exchange, answers.receipt(isStored))
    } catch (error) {
      if (!isFailure(error)) deps.logger.error('receipt check failed', describeError(error))
      refuse(exchange, isFailure(error) ? 'listener.event_log_unavailable' : 'listener.internal')
    }
  }
  const answer = (exchange: RawExchange, account: ReturnType<typeof findAccount>): void => {
    if (typeof account === 'string') {
      refuse(exchange, account)
      return
    }
    const { receipt } = parseParameters(exchange.query)
    const place = receipts.parse(receipt, account.id)
    const isKnown = place !== undefined && place.partition < deps.eventLog.partitions
    if (isKnown) void check(exchange, place)
    else refuse(exchange, 'listener.receipt_invalid')
  }
  return (exchange) => {
    const { token } = parseParameters(exchange.query)
    const account = findAccount(token, anyNode)
    if (exchange.method !== 'GET') {
      telemetry.answered('listener.method_not_allowed')
      send(exchange, answers.methodNotAllowed('GET'))
      return
    }
    if (account !== 'listener.token_invalid') {
      answer(exchange, account)
      return
    }
    const leave = newcomers.enter()
    if (leave === undefined) {
      refuse(exchange, newcomers.refuse(token))
      return
    }
    // The token may be new, as in the ingest route.
    exchange.onAborted(leave)
    void newcomers
      .look()
      .then(() => answer(exchange, findAccount(token, anyNode)))
      .finally(leave)
  }
}

/** Durable it is in any case: receipts are signed after the block is. */
async function isPlaceStored(eventLog: EventLog, place: BlockPlace): Promise<boolean> {
  const { next } = await eventLog.status(place.partition)
  return place.offset < next
}
