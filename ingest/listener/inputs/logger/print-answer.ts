// The bodies of the listener's answers (decision 2.3). The usual one is put together as text: an
// object and JSON.stringify for each of 30,000 answers a second would cost more than the scan.
import { FAILURES, Failure } from '../../../../schemas/failures.ts'
import { type ListenerFailureCode, rejectionFailure, type Tally } from '../../admission/outcome.ts'
import type { ExplainedEvent } from '../../explain.ts'
import type { Answer, AnswerLimits, AnswerPrinter } from '../input.ts'

const NO_EVENTS: Tally = { received: 0, accepted: 0, rejections: [] }

const MAX_ERRORS = 100
const JSON_HEADERS: Answer['headers'] = [['Content-Type', 'application/json']]

export class Answers implements AnswerPrinter {
  readonly #limits: AnswerLimits
  readonly #retryHeaders: Answer['headers']

  constructor(limits: AnswerLimits) {
    this.#limits = limits
    this.#retryHeaders = [...JSON_HEADERS, ['Retry-After', String(limits.retryAfterSeconds)]]
  }

  stored(tally: Tally, receipt: string): Answer {
    const body = `${this.#head('Success', 0, tally)},"receipt":"${receipt}"}`
    return { status: 200, headers: JSON_HEADERS, body }
  }

  explained(tally: Tally, events: readonly ExplainedEvent[], indexes: readonly number[]): Answer {
    const shown = events.map((event, i) => ({ index: indexes[i], ...event }))
    const body = `${this.#head('Success', 0, tally)},"debug":true,"events":${JSON.stringify(shown)}}`
    return { status: 200, headers: JSON_HEADERS, body }
  }

  receipt(isStored: boolean): Answer {
    return { status: 200, headers: JSON_HEADERS, body: `{"durable":true,"stored":${isStored}}` }
  }

  failed(code: ListenerFailureCode, tally: Tally = NO_EVENTS): Answer {
    const { status, ingest = 8 } = entryOf(code)
    const body = `${this.#head(this.#textOf(code), ingest, tally)}}`
    return { status, headers: status >= 500 ? this.#retryHeaders : JSON_HEADERS, body }
  }

  methodNotAllowed(allowed: string): Answer {
    const answer = this.failed('listener.method_not_allowed')
    return { ...answer, headers: [...answer.headers, ['Allow', allowed]] }
  }

  #head(text: string, code: number, tally: Tally): string {
    const { received, accepted, rejections } = tally
    const errors = rejections.length === 0 ? '' : this.#errors(rejections)
    return `{"text":"${text}","code":${code},"received":${received},"accepted":${accepted},"rejected":${received - accepted},"errors":[${errors}]`
  }

  #errors(rejections: Tally['rejections']): string {
    return rejections
      .slice(0, MAX_ERRORS)
      .map(({ index, code }) => {
        const message = this.#textOf(rejectionFailure(code))
        return `{"index":${index},"code":"${code}","message":"${message}"}`
      })
      .join(',')
  }

  /** Texts of the table with numbers in them: nothing that JSON would have to escape. */
  #textOf(code: ListenerFailureCode): string {
    return new Failure(code, { ...this.#limits }).message
  }
}

function entryOf(code: ListenerFailureCode): { status: number; ingest?: number } {
  return FAILURES[code]
}
