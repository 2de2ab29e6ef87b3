// One attempt to deliver a message: what came of it, never an exception.
import type { Clock } from '../../infra/clock.ts'
import { joinSignals } from '../../infra/join-signals.ts'
import { describeConnection } from '../../infra/outbound/describe-connection.ts'
import { sendRequest } from '../../infra/outbound/request.ts'
import { isFailure } from '../../schemas/failures.ts'
import type { PortalKeys } from '../access/portal-keys.ts'
import type { WebhookRow } from '../database/tables.ts'
import { signMessage } from './secrets.ts'
import type { WebhookTargets } from './target.ts'

export type Outgoing = {
  readonly id: string
  readonly body: string
  readonly webhook: Pick<WebhookRow, 'id' | 'url' | 'secret' | 'old_secrets'>
}

export type Tried = {
  readonly atMs: number
  readonly durationMs: number
  /** Null: there was no answer. */
  readonly status: number | null
  /** Null: it was delivered. */
  readonly failure: string | null
  readonly answer: string
  /** What the receiver asked for; 0: nothing. */
  readonly waitMs: number
}

export type SendDeps = {
  readonly keys: PortalKeys
  readonly clock: Clock
  readonly targets: WebhookTargets
  readonly version: string
  /** Of one attempt: name, connection, answer to its end. */
  readonly timeLimitMs: number
}

const MAX_ANSWER_BYTES = 1024

/** Undefined: `stop` came before an answer. */
export async function sendMessage(
  message: Outgoing,
  { keys, clock, targets, version, timeLimitMs }: SendDeps,
  stop: AbortSignal,
): Promise<Tried | undefined> {
  const [atMs, beganMs] = [clock.nowMs(), clock.elapsedMs()]
  const late = AbortSignal.timeout(timeLimitMs)
  const { signal, leave } = joinSignals([late, stop])
  const tried = (outcome: Pick<Tried, 'status' | 'failure'> & Partial<Tried>): Tried => ({
    ...{ atMs, durationMs: Math.round(clock.elapsedMs() - beganMs), answer: '', waitMs: 0 },
    ...outcome,
  })
  try {
    const { status, headers, body } = await sendRequest({
      url: new URL(message.webhook.url),
      headers: {
        ...signMessage(message.webhook, { ...message, atMs }, keys),
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(message.body)),
        'user-agent': `Logeye-Webhooks/${version}`,
      },
      ...{ body: message.body, certificate: '', maxBytes: MAX_ANSWER_BYTES, isCut: true },
      reach: { to: targets === 'any' ? 'inner' : 'public' },
      signal,
    })
    const isTaken = status >= 200 && status < 300
    return tried({
      ...{ status, failure: isTaken ? null : `it answers with the status ${status}` },
      ...{ answer: toText(body), waitMs: readWait(headers['retry-after']) },
    })
  } catch (error) {
    if (stop.aborted) return undefined
    if (isFailure(error)) return tried({ status: null, failure: 'it could not be signed' })
    return tried({ status: null, failure: describeConnection(error, late, '') })
  } finally {
    leave()
  }
}

/** What a database keeps as text. */
function toText(body: string): string {
  return body.replaceAll('\0', '\ufffd')
}

function readWait(retryAfter: string | undefined): number {
  return /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : 0
}
