// Several writers of one event log on Kafka: who owns a partition, and what becomes of one that is
// late.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import type { Ownership, Work } from '../../../infra/event-log/port.ts'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { until, useKafka, within } from '../../support/event-log/use-kafka.ts'
import { bundleProgram } from '../../support/machine/bundle-program.ts'
import { describeUnless } from '../../support/run/skip.ts'

/** A member that is not heard loses its partitions after 6 s: who gives them back is followed
 *  sooner. */
const BEFORE_SESSION_ENDS_MS = 5500

describeUnless(kafkaMissing(), 'several writers', () => {
  const kafka = useKafka()

  /** Holds what it is given until it is lost. */
  function holding(name: string, owners: Map<number, string>, seen: Seen): Work {
    return async (partition, ownership) => {
      expect(owners.get(partition)).toBeUndefined()
      owners.set(partition, name)
      seen.ownerships.set(partition, ownership)
      await new Promise<void>((resolve) => {
        if (ownership.lost.aborted) resolve()
        ownership.lost.addEventListener('abort', () => resolve(), { once: true })
      })
      owners.delete(partition)
    }
  }
  type Seen = { ownerships: Map<number, Ownership> }
  const makeSeen = (): Seen => ({ ownerships: new Map() })

  it('share the partitions, one owner each, and one that ends is followed at once', async () => {
    const url = kafka.newTopic(4)
    const owners = new Map<number, string>()
    const ends = [new AbortController(), new AbortController()] as const
    const logs = [await kafka.open(url), await kafka.open(url)] as const
    const first = logs[0].own(holding('first', owners, makeSeen()), ends[0].signal)
    await until(() => owners.size === 4)
    const second = logs[1].own(holding('second', owners, makeSeen()), ends[1].signal)
    await until(() => namesOf(owners) === 'first,first,second,second')
    await logs[1].savePosition(numberOf(owners, 'second'), { next: 0, metadata: 'mine' })
    await expect(
      logs[1].savePosition(numberOf(owners, 'first'), { next: 0, metadata: '' }),
    ).rejects.toMatchObject({ code: 'event_log.not_owner' })
    ends[0].abort()
    await first
    const isFollowed = until(() => namesOf(owners) === 'second,second,second,second')
    await within('the first is followed', isFollowed, BEFORE_SESSION_ENDS_MS)
    ends[1].abort()
    await second
    expect(owners.size).toBe(0)
  })

  it('refuse the one that did not give back its partition in time', async () => {
    const url = kafka.newTopic()
    const [stale, fresh] = [await kafka.open(url), await kafka.open(url)]
    const end = new AbortController()
    let release = () => {}
    let held: Ownership | undefined
    const staleEnd = stale.own((_, ownership) => {
      held = ownership
      return new Promise((resolve) => {
        release = resolve
      })
    }, end.signal)
    await until(() => held !== undefined)
    await stale.savePosition(0, { next: 0, metadata: 'intent of the first' })
    const seen = makeSeen()
    const freshEnd = fresh.own(holding('fresh', new Map(), seen), end.signal)
    // Others get the partition only when the first cannot believe any more that it is its own.
    await until(() => seen.ownerships.size === 1 || held?.isHeld() === false)
    expect(held?.isHeld()).toBe(false)
    await until(() => seen.ownerships.size === 1)
    expect(await fresh.position(0)).toEqual({ next: 0, metadata: 'intent of the first' })
    await fresh.savePosition(0, { next: 0, metadata: 'intent of the second' })
    await expect(stale.savePosition(0, { next: 0, metadata: 'late' })).rejects.toMatchObject({
      code: 'event_log.not_owner',
    })
    expect(await fresh.position(0)).toMatchObject({ metadata: 'intent of the second' })
    end.abort()
    release()
    await Promise.all([staleEnd, freshEnd])
  })

  it('follow one that is killed', async () => {
    const url = kafka.newTopic()
    const fresh = await kafka.open(url)
    const file = await bundleProgram('test/support/event-log/event-log-owner.ts')
    const gone = spawn(process.execPath, [file, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(gone.stdout, 'data')
    const follower = makeSeen()
    const end = new AbortController()
    gone.kill('SIGKILL')
    const owners = new Map<number, string>()
    const freshEnd = fresh.own(holding('fresh', owners, follower), end.signal)
    await until(() => follower.ownerships.size === 1)
    expect(namesOf(owners)).toBe('fresh')
    end.abort()
    await freshEnd
  })

  it('follow one that closes its log at once', async () => {
    const url = kafka.newTopic()
    const [first, fresh] = [await kafka.open(url), await kafka.open(url)]
    const seen = makeSeen()
    const end = new AbortController()
    const firstEnd = first.own(holding('first', new Map(), seen), end.signal)
    await until(() => seen.ownerships.size === 1)
    await first.close()
    await firstEnd
    const follower = makeSeen()
    const owners = new Map<number, string>()
    const freshEnd = fresh.own(holding('fresh', owners, follower), end.signal)
    const isFollowed = until(() => follower.ownerships.size === 1)
    await within('the first is followed', isFollowed, BEFORE_SESSION_ENDS_MS)
    expect(namesOf(owners)).toBe('fresh')
    end.abort()
    await freshEnd
  })

  it('let nobody without a membership save a position', async () => {
    const url = kafka.newTopic()
    const [writer, other] = [await kafka.open(url), await kafka.open(url)]
    const seen = makeSeen()
    const end = new AbortController()
    const ended = writer.own(holding('writer', new Map(), seen), end.signal)
    await until(() => seen.ownerships.size === 1)
    await expect(other.savePosition(0, { next: 0, metadata: '' })).rejects.toMatchObject({
      code: 'event_log.not_owner',
    })
    end.abort()
    await ended
    await other.savePosition(0, { next: 0, metadata: 'now' })
  })
})

function namesOf(owners: ReadonlyMap<number, string>): string {
  return [...owners.values()].sort().join(',')
}

function numberOf(owners: ReadonlyMap<number, string>, name: string): number {
  return [...owners].find(([, owner]) => owner === name)?.[0] ?? -1
}
