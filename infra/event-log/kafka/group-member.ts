// A member of the writers' group. It owns partitions from one rebalance to the next: before it
// joins again its work has ended, and a commit carries the generation in which the partition was
// given to it, so that the broker refuses a late one.
import type { Clock } from '../../clock.ts'
import { describeError, type Logger } from '../../logger.ts'
import type { Ownership, Work } from '../port.ts'
import { assign, decodeAssignment, encodeAssignment, encodeSubscription } from './assignment.ts'
import type { KafkaLink } from './link.ts'
import type { Membership } from './positions.ts'
import { hasCode, isFenced, KafkaTrouble } from './trouble.ts'

export const SESSION_MS = 6000
const HEARTBEAT_MS = 1000
/** How long a rebalance waits for members that are still at work. */
const REBALANCE_MS = 6000
const REJOIN_MS = 300
const LEAVE_MS = 300
const PROTOCOL = 'logeye'

export type GroupMemberOptions = {
  readonly link: KafkaLink
  readonly topic: string
  readonly group: string
  readonly partitions: number
  readonly clock: Clock
  readonly logger: Logger
}

type Held = {
  readonly membership: Membership
  readonly partitions: readonly number[]
  readonly lost: AbortController
  /** Until when the others cannot have been given our partitions. */
  validMs: number
}

export class GroupMember {
  readonly #options: GroupMemberOptions
  #held: Held | undefined

  constructor(options: GroupMemberOptions) {
    this.#options = options
  }

  /** The generation in which this process owns the partition; undefined: it does not. */
  membershipOf(partition: number): Membership | undefined {
    const held = this.#held
    return held?.partitions.includes(partition) ? held.membership : undefined
  }

  /** A commit was refused: others own the partitions. */
  fenced(membership: Membership): void {
    if (this.#held?.membership !== membership) return
    this.#held.validMs = Number.NEGATIVE_INFINITY
    this.#held.lost.abort()
  }

  /** As EventLog.own. */
  async run(work: Work, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options
    let memberId = ''
    let isTrouble = false
    while (!signal.aborted) {
      try {
        const { membership, partitions } = await this.#join(memberId)
        memberId = membership.memberId
        // Aborted while it joined: work that waits for `lost` would never hear of it.
        if (signal.aborted) break
        if (isTrouble) logger.info('writer is a member of the group again')
        isTrouble = false
        logger.debug('partitions given', { partitions: partitions.join(' ') })
        await this.#hold({ membership, partitions }, work, signal)
      } catch (error) {
        if (hasCode(error, ['UNKNOWN_MEMBER_ID'])) memberId = ''
        const isUsual = hasCode(error, ['REBALANCE_IN_PROGRESS', 'UNKNOWN_MEMBER_ID'])
        if (!isUsual && !isTrouble && !signal.aborted) {
          logger.warn('writer cannot join the group, trying again', describeTrouble(error))
          isTrouble = true
        }
        await clock.sleep(REJOIN_MS, signal)
      }
    }
    if (memberId !== '') await this.#leave(memberId)
  }

  async #join(knownId: string): Promise<{ membership: Membership; partitions: readonly number[] }> {
    const { link, topic, group: groupId, partitions } = this.#options
    const joined = await link.atCoordinator(
      (broker) =>
        broker.joinGroup({
          groupId,
          sessionTimeout: SESSION_MS,
          rebalanceTimeout: REBALANCE_MS,
          memberId: knownId,
          groupProtocols: [{ name: PROTOCOL, metadata: encodeSubscription(topic) }],
        }),
      REBALANCE_MS,
    )
    const { generationId, memberId } = joined
    const ids = joined.members.map((member) => member.memberId)
    const shares = joined.leaderId === memberId ? [...assign(ids, partitions)] : []
    const { memberAssignment } = await link.atCoordinator(
      (broker) =>
        broker.syncGroup({
          groupId,
          generationId,
          memberId,
          groupAssignment: shares.map(([id, share]) => ({
            memberId: id,
            memberAssignment: encodeAssignment(topic, share),
          })),
        }),
      REBALANCE_MS,
    )
    return {
      membership: { generation: generationId, memberId },
      partitions: decodeAssignment(memberAssignment),
    }
  }

  /** Until the partitions have to be given back and all work on them has ended. */
  async #hold(
    { membership, partitions }: Pick<Held, 'membership' | 'partitions'>,
    work: Work,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger } = this.#options
    const lost = new AbortController()
    const stop = () => lost.abort()
    signal.addEventListener('abort', stop, { once: true })
    const held: Held = { membership, partitions, lost, validMs: clock.elapsedMs() + SESSION_MS }
    this.#held = held
    const ownership: Ownership = {
      lost: lost.signal,
      isHeld: () => clock.elapsedMs() < held.validMs,
    }
    let isWorking = true
    const working = Promise.all(
      partitions.map((partition) =>
        work(partition, ownership).catch((error: unknown) => {
          logger.error('work on a partition failed', { partition, ...describeError(error) })
        }),
      ),
    ).finally(() => {
      isWorking = false
    })
    try {
      while (isWorking || !lost.signal.aborted) {
        if (!(await this.#beat(held))) break
        await pause(clock, HEARTBEAT_MS, lost.signal, working)
      }
    } finally {
      lost.abort()
      await working
      signal.removeEventListener('abort', stop)
      this.#held = undefined
    }
  }

  /** False: the membership is gone. Aborts `lost` when the partitions are to be given back. */
  async #beat(held: Held): Promise<boolean> {
    const { link, group: groupId, clock } = this.#options
    const { generation, memberId } = held.membership
    const sentMs = clock.elapsedMs()
    try {
      await link.atCoordinator((broker) =>
        broker.heartbeat({ groupId, groupGenerationId: generation, memberId }),
      )
      held.validMs = sentMs + SESSION_MS
    } catch (error) {
      if (hasCode(error, ['REBALANCE_IN_PROGRESS'])) {
        // We are waited for, counted from some moment after the last good heartbeat.
        held.lost.abort()
      } else if (isFenced(error)) {
        held.validMs = Number.NEGATIVE_INFINITY
        return false
      }
      if (clock.elapsedMs() >= held.validMs) return false
    }
    return true
  }

  /** Others need not wait for the end of our session. */
  async #leave(memberId: string): Promise<void> {
    const { link, group: groupId, clock } = this.#options
    const ended = new AbortController()
    const leaving = link
      .atCoordinator((broker) => broker.leaveGroup({ groupId, memberId }))
      .then(
        () => undefined,
        () => undefined,
      )
    await Promise.race([leaving, clock.sleep(LEAVE_MS, ended.signal)])
    ended.abort()
  }
}

/** Until the next heartbeat; shorter when work is ending. */
async function pause(
  clock: Clock,
  ms: number,
  lost: AbortSignal,
  working: Promise<unknown>,
): Promise<void> {
  const ended = new AbortController()
  if (lost.aborted) await Promise.race([working, clock.sleep(ms, ended.signal)])
  else await clock.sleep(ms, lost)
  ended.abort()
}

function describeTrouble(error: unknown): { cause: string } {
  return { cause: error instanceof KafkaTrouble ? error.code : 'bug' }
}
