// Days that lie in the store while a campaign strikes: each the one log of a policy of its own,
// received on a day before. While senders send, days are compacted, archived and let go, and events
// of them are deleted; after each round what is found of them is what the answers promised.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { callSdk } from '../../../test/support/clients/call-sdk.ts'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import type { Finding } from '../campaign/finding.ts'
import { exportRaws } from '../campaign/read-back.ts'
import type { Keeper, Random } from '../campaign/target.ts'
import { type Called, connected, must } from './ask-product.ts'
import type { ClockFile } from './surroundings-faults.ts'

const DAY_MS = 86_400_000
const EVENTS = 400
const FIRST_AGE = 2
const MOST_DELETED = 6
const STORED_WITHIN_MS = 60_000
const PAUSE_MS = 300
/** Archives wait for deletions, and neither gets far where something ends each moment. */
const MOST_PAUSE_MS = 4000
const ARCHIVED_WITHIN_MS = 20_000
const POLL_MS = 100
const listener = z.object({ token: z.string() })
const kept = z.object({ number: z.number() })
const counted = z.object({ events: z.number() })
const archived = z.object({ archives: z.array(z.object({ state: z.string() })) })
const used = z.object({ days: z.array(z.object({ compactBytes: z.number() })) })

type KeptDay = {
  readonly age: number
  readonly day: string
  /** Of policy, listener and log. */
  readonly name: string
  /** Retention may take it out when the clock jumps ahead. */
  readonly isPassing: boolean
  readonly deleted: Set<number>
  isGone: boolean
}

type Options = {
  readonly url: string
  readonly password: string
  readonly clock: ClockFile
  /** A folder for archives, on the disk of the data. */
  readonly archive: string
  readonly days: number
  readonly random: Random
}

export async function keepDays(options: Options): Promise<Keeper> {
  const { url, password, clock, archive, days, random } = options
  const target = { url, password }
  const reader = { url, password, search: makeSearchClient(url, password) }
  const all: KeptDay[] = Array.from({ length: days }, (_, at) => {
    const age = FIRST_AGE + days - 1 - at
    const day = new Date(Date.now() - age * DAY_MS).toISOString().slice(0, 10)
    const isPassing = age % 2 === 1
    return { age, day, name: `kept-${age}`, isPassing, deleted: new Set<number>(), isGone: false }
  })
  for (const one of all) {
    clock.set(-one.age * DAY_MS)
    await fillDay(target, one, archive)
    await untilCounted(() => reader.search.count(`* in log.${one.name}`))
  }
  clock.set(0)

  let isHeld = true
  let isEnded = false
  let working: Promise<void> = Promise.resolve()
  const work = async () => {
    while (!isHeld && !isEnded) {
      const one = all[random(all.length)]
      if (one !== undefined)
        await (random(3) === 0 ? archiveDay(target, one) : deleteSome(target, one, random))
      await sleep(PAUSE_MS + random(MOST_PAUSE_MS))
    }
  }
  return {
    release: () => {
      if (!isHeld) return
      isHeld = false
      working = work()
      // Told by the next hold.
      working.catch(() => undefined)
    },
    hold: async (limitMs) => {
      isHeld = true
      const late = sleep(limitMs).then(() => {
        throw new Error('a deed of the kept days got no answer')
      })
      await Promise.race([working, late])
    },
    end: () => {
      isEnded = true
    },
    check: async () => {
      // Of what is archived a day may go.
      await connected(() => untilArchived(target))
      const findings: Finding[] = []
      let gone = 0
      for (const one of all) {
        const numbers = await connected(() => numbersOf(reader, one))
        findings.push(...compareDay(one, numbers))
        gone += EVENTS - numbers.length
      }
      const days = all.filter(({ isGone }) => isGone).length
      const deleted = all.reduce((sum, one) => sum + one.deleted.size, 0)
      const told = await connected(() => tellStore(target))
      return { findings, gone, told: `${deleted} events deleted, ${days} days gone, ${told}` }
    },
  }
}

async function fillDay(target: Called, { name, age, isPassing }: KeptDay, archive: string) {
  const policy: Record<string, string> = isPassing ? { storageDays: String(age + 1) } : {}
  await must(target, 'addCollectionPolicy', { name, archiveDirectory: archive, ...policy })
  const made = await must(target, 'addListener', { name, collectionPolicy: name })
  const { token } = listener.parse(made)
  const lines = Array.from({ length: EVENTS }, (_, number) =>
    JSON.stringify({ message: `kept ${number}`, number, productName: name }),
  )
  const answer = await fetch(`${target.url}/logeye/api/logger.jsp?token=${token}&hostName=kept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: lines.join('\n'),
  })
  if (!answer.ok) throw new Error(`a kept day was not taken: ${answer.status}`)
}

/** What was asked for, or for as long as one waits: some are not to be had any more. */
async function untilArchived(target: Called): Promise<void> {
  const deadline = performance.now() + ARCHIVED_WITHIN_MS
  while (performance.now() < deadline) {
    const { archives } = archived.parse(await must(target, 'listArchives', {}))
    if (archives.every(({ state }) => state === 'done')) return
    await sleep(POLL_MS * 10)
  }
}

/** What the jobs have done with the days so far. */
async function tellStore(target: Called): Promise<string> {
  const { archives } = archived.parse(await must(target, 'listArchives', {}))
  const { days } = used.parse(await must(target, 'diskUsage', { top: '100' }))
  const count = (isCounted: boolean[]) => isCounted.filter(Boolean).length
  const done = count(archives.map(({ state }) => state === 'done'))
  const compact = count(days.map(({ compactBytes }) => compactBytes > 0))
  return `${done} archives, ${compact} days compacted`
}

/** Again and again until there is an answer: what was promised is known then. */
async function deleteSome(target: Called, one: KeptDay, random: Random): Promise<void> {
  const from = random(EVENTS)
  const to = Math.min(EVENTS, from + 1 + random(MOST_DELETED))
  const query = `number >= ${from} and number < ${to}`
  for (;;) {
    const given = { log: `Events->${one.name}`, query }
    const answer = await callSdk(target, 'deleteData', given).catch(() => undefined)
    if (answer?.success === true) {
      // What was received later than now, by a clock that has jumped back, is not meant.
      if (counted.parse(answer.response).events === 0) return
      break
    }
    if (answer !== undefined && answer.status < 500)
      throw new Error(`deleteData: ${answer.errorMessage}`)
    await sleep(PAUSE_MS)
  }
  for (let number = from; number < to; number += 1) one.deleted.add(number)
}

/** What it answers changes nothing of what is found. */
async function archiveDay(target: Called, { name, day }: KeptDay): Promise<void> {
  await callSdk(target, 'archive', { policy: name, day }).catch(() => undefined)
}

async function numbersOf(reader: Parameters<typeof exportRaws>[0], { name }: KeptDay) {
  const raws = await exportRaws(reader, `* in log.${name}`)
  return raws.map((raw) => kept.parse(JSON.parse(raw)).number)
}

/** Whole but for what was deleted, or gone for good where it may go. */
function compareDay(one: KeptDay, numbers: readonly number[]): Finding[] {
  const host = one.name
  if (one.isGone || (one.isPassing && numbers.length === 0)) {
    one.isGone = true
    return numbers.length === 0 ? [] : [{ kind: 'foreign', host, text: 'a day came back' }]
  }
  const findings: Finding[] = []
  const times = new Map<number, number>()
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1)
  for (let number = 0; number < EVENTS; number += 1) {
    const found = times.get(number) ?? 0
    if (one.deleted.has(number)) {
      if (found > 0) findings.push({ kind: 'foreign', host, text: `${number} was deleted` })
    } else if (found === 0) findings.push({ kind: 'lost', host, number })
    else if (found > 1) findings.push({ kind: 'doubled', host, number })
  }
  return findings
}

async function untilCounted(count: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + STORED_WITHIN_MS
  while ((await count()) < EVENTS) {
    if (performance.now() > deadline) throw new Error('a kept day was not stored')
    await sleep(POLL_MS)
  }
}
