// Sends the events of one policy on, in the order of their arrival in each partition: a batch is
// noted, sent until the other side has it, and the position moves (docs/decisions/0114).
import type { Clock } from '../../infra/clock.ts'
import type { Fence } from '../../infra/database/lease.ts'
import type { Logger } from '../../infra/logger.ts'
import { findBookAccount, openSecrets } from '../../infra/metastore/address-book/book-accounts.ts'
import {
  type ForwardPosition,
  readForwardPositions,
  saveForwardPosition,
} from '../../infra/metastore/forwarding/forward-positions.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { describeConnection } from '../../infra/outbound/describe-connection.ts'
import type { SecretKeys } from '../../infra/secrets/secret-keys.ts'
import type { Store } from '../../infra/store/port.ts'
import { forwardAccount } from '../../schemas/collection-policy.ts'
import { isFailure } from '../../schemas/failures.ts'
import type { Cursor } from '../writer/cursor.ts'
import type { ForwardedEvent } from './forwarded-event.ts'
import { findFirstEvent, readEvents } from './read-events.ts'
import { openTarget } from './targets/open-target.ts'
import { ForwardFault, type ForwardTarget } from './targets/target.ts'
import type { ForwardTelemetry } from './telemetry.ts'
import { within } from './within.ts'

const IDLE_MS = 500
const BATCH_EVENTS = 1000
const BATCH_BYTES = 2 * 1024 * 1024
const SEND_MS = 60_000
const CLOSE_MS = 1000
const FIRST_WAIT_MS = 1000
const MOST_WAIT_MS = 60_000

export type ForwardDeps = {
  readonly metastore: OpenedMetastore
  readonly store: Pick<Store, 'stream'>
  /** By partition: what is committed below. */
  readonly readArrived: () => Promise<readonly Cursor[]>
  readonly clock: Clock
  readonly logger: Logger
  readonly keys: SecretKeys
  readonly held: Fence
  readonly telemetry: ForwardTelemetry
}

export type ForwardedPolicy = {
  readonly id: number
  readonly name: string
  readonly forwardTo: string
  /** Epoch milliseconds of receipt; undefined: from when the forwarder first sees the policy. */
  readonly sinceMs: number | undefined
}

/** Until the signal aborts. Fails with what the database says. */
export async function forwardPolicy(
  policy: ForwardedPolicy,
  deps: ForwardDeps,
  signal: AbortSignal,
): Promise<void> {
  const { clock, telemetry } = deps
  let waitMs = FIRST_WAIT_MS
  let positions: ForwardPosition[] | undefined
  let target: ForwardTarget | undefined
  try {
    while (!signal.aborted) {
      try {
        positions ??= await openPositions(policy, deps, signal)
        target ??= await openTarget(await findAddressOf(policy, deps))
        const sent = await forwardOnce(policy, { deps, positions, target, signal })
        waitMs = FIRST_WAIT_MS
        telemetry.sent(policy, sent)
        if (sent === 0) await clock.sleep(IDLE_MS, signal)
      } catch (error) {
        if (signal.aborted) return
        if (isFailure(error) && error.code.startsWith('database.')) throw error
        telemetry.failed(policy, describe(error))
        await close(target)
        target = undefined
        await clock.sleep(waitMs, signal)
        waitMs = Math.min(waitMs * 2, MOST_WAIT_MS)
      }
    }
  } finally {
    await close(target)
  }
}

/** Never fails, and waits for none that does not close. */
async function close(target: ForwardTarget | undefined): Promise<void> {
  if (target === undefined) return
  await within({ ms: CLOSE_MS }, () => target.close()).catch(() => undefined)
}

/** A partition that is new here begins with the first event since then, or what arrives next. */
async function openPositions(
  { id, sinceMs }: ForwardedPolicy,
  { metastore, store, readArrived, held, clock }: ForwardDeps,
  signal: AbortSignal,
): Promise<ForwardPosition[]> {
  const { database } = metastore
  const known = await readForwardPositions(database.read, id)
  const positions: ForwardPosition[] = []
  for (const [partition, arrived] of (await readArrived()).entries()) {
    const saved = known.find((it) => it.partition === partition)
    if (saved !== undefined) {
      positions.push(saved)
      continue
    }
    const of = { policyId: id, partition }
    const first =
      sinceMs === undefined
        ? undefined
        : await findFirstEvent(store, { ...of, sinceMs }, arrived, signal)
    const receivedMs = sinceMs ?? clock.nowMs()
    const position = { ...of, from: first ?? arrived, to: undefined, receivedMs }
    await saveForwardPosition({ database, held }, position)
    positions.push(position)
  }
  return positions
}

type Round = {
  readonly deps: ForwardDeps
  readonly positions: ForwardPosition[]
  readonly target: ForwardTarget
  readonly signal: AbortSignal
}

/** A batch of each partition; gives how many events. */
async function forwardOnce(policy: ForwardedPolicy, round: Round): Promise<number> {
  const { deps, positions, target, signal } = round
  const { database } = deps.metastore
  const arrived = await deps.readArrived()
  let sent = 0
  for (const [partition, position] of positions.entries()) {
    const { from } = position
    const to = position.to ?? arrived[partition] ?? from
    if (to.offset < from.offset || (to.offset === from.offset && to.index <= from.index)) continue
    const { events, isWhole } = await readEvents(
      deps.store,
      { ...position, partition },
      { from, to },
      { events: BATCH_EVENTS, bytes: BATCH_BYTES, signal },
    )
    const last = events.at(-1)
    const end = isWhole || last === undefined ? to : { offset: last.offset, index: last.index + 1 }
    if (last === undefined) {
      // In memory: where nothing is of this policy, nothing need be remembered.
      positions[partition] = { ...position, from: end, to: undefined }
      continue
    }
    const begun = { ...position, to: end }
    await saveForwardPosition({ database, held: deps.held }, begun)
    positions[partition] = begun
    await send(policy, { ...round, target }, events, begun)
    const done = { ...begun, from: end, to: undefined, receivedMs: last.receivedMs }
    await saveForwardPosition({ database, held: deps.held }, done)
    positions[partition] = done
    sent += events.length
  }
  return sent
}

async function send(
  policy: ForwardedPolicy,
  { deps, target, signal }: Round,
  events: readonly ForwardedEvent[],
  { partition, from, to }: ForwardPosition,
): Promise<void> {
  const { logs } = await deps.metastore.tree()
  const nameOf = (logId: number) => {
    const log = logs.get(logId)
    return log === undefined ? '' : [...log.folder, log.name].join('->')
  }
  const place = `${from.offset}.${from.index}-${to?.offset}.${to?.index}`
  const key = `forward-${policy.id}-${partition}-${place}`
  await within({ ms: SEND_MS, signal }, (limited) => target.send({ key, events, nameOf }, limited))
}

/** A URL, or `account:<name>` of an alert target of the type webhook, whose address is a secret. */
async function findAddressOf(
  { forwardTo }: ForwardedPolicy,
  { metastore, keys }: ForwardDeps,
): Promise<string> {
  const name = forwardAccount(forwardTo)
  if (name === '') return forwardTo
  const account = await findBookAccount(metastore.database.read, name)
  if (account?.kind !== 'alertTarget') throw new ForwardFault('there is no such alert target')
  if (!account.isEnabled) throw new ForwardFault('its alert target is disabled')
  const { targetURL } = openSecrets(account, keys)
  if (targetURL === undefined) throw new ForwardFault('its alert target has no -targetURL')
  return targetURL
}

function describe(error: unknown): string {
  if (error instanceof ForwardFault) return error.message
  if (isFailure(error)) return error.message
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  return isLate ? 'no answer in time' : describeConnection(error, AbortSignal.any([]), '')
}
