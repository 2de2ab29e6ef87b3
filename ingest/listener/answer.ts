// The bodies of the listener's answers (decision 2.3). The usual one is put together as text: an object and JSON.stringify
// for each of 30,000 answers a second would cost more than the scan.
import type { Rejection, RejectionCode } from '../../schemas/block/schema.ts'
import { FAILURES, Failure, type FailureCode } from '../../schemas/failures.ts'
import type { ExplainedEvent } from './explain.ts'
import type { ScanLimits } from './scan/scan.ts'

export type ListenerFailureCode = Extract<FailureCode, `listener.${string}`>

export type Answer = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** Events of a request by what became of them. */
export type Tally = {
  readonly received: number
  readonly accepted: number
  readonly rejections: readonly Pick<Rejection, 'index' | 'code'>[]
}

type Limits = ScanLimits & { readonly maxBodyBytes: number; readonly retryAfterSeconds: number }

const NO_EVENTS: Tally = { received: 0, accepted: 0, rejections: [] }

const MAX_ERRORS = 100
const JSON_HEADERS: Answer['headers'] = [['Content-Type', 'application/json']]

export class Answers {
  readonly #limits: Limits
  readonly #retryHeaders: Answer['headers']

  constructor(limits: Limits) {
    this.#limits = limits
    this.#retryHeaders = [...JSON_HEADERS, ['Retry-After', String(limits.retryAfterSeconds)]]
  }

  stored(tally: Tally, receipt: string): Answer {
    const body = `${this.#head('Success', 0, tally)},"receipt":"${receipt}"}`
    return { status: 200, headers: JSON_HEADERS, body }
  }

  /** Of `?debug=1`: nothing was stored, so there is no receipt. `indexes`: of the explained events in the request. */
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
    const { maxBodyBytes, maxEvents, maxEventBytes, maxDepth, maxColumns } = this.#limits
    const details = { maxBodyBytes, maxEvents, maxEventBytes, maxDepth, maxColumns }
    return new Failure(code, details).message
  }
}

export function rejectionFailure(code: RejectionCode): ListenerFailureCode {
  return `listener.${code}`
}

function entryOf(code: ListenerFailureCode): { status: number; ingest?: number } {
  return FAILURES[code]
}
