// What must be found, by the words of docs/guides/retention.md and by nothing else: lists of
// events, walked through one by one. Nothing of the product is used here.

export const DAY_MS = 86_400_000
/** From a change of limits to the first event that goes by it. */
const GRACE_MS = 600_000

export type NaiveEvent = {
  readonly name: string
  readonly n: number
  readonly user: string
  readonly log: string
  readonly policy: string
  /** Of receipt. */
  readonly day: number
  readonly timeMs: number
  /** As received. */
  readonly bytes: number
  isStored: boolean
  isDeleted: boolean
}

export type NaivePolicy = {
  storageDays: number | null
  storageMaxBytes: number | null
  readonly isArchiving: boolean
  archiveDays: number | null
  /** Of the last change of limits. */
  changedMs: number
}

export type NaiveArchive = {
  /** What the product calls it, once it is known. */
  number: number
  readonly policy: string
  readonly day: number
  readonly events: readonly NaiveEvent[]
  hasLeft: boolean
  isEnding: boolean
  thawedUntilMs: number | undefined
}

export type NaiveHold = {
  readonly number: number
  readonly log?: string
  readonly folder?: string
  readonly policy?: string
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
}

export type Deletion = {
  readonly log: string
  readonly user: string | undefined
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
}

export const unitName = (policy: string, day: number) => `${policy} ${day}`

export class NaiveDays {
  readonly policies: Map<string, NaivePolicy>
  readonly events: NaiveEvent[] = []
  archives: NaiveArchive[] = []
  holds: NaiveHold[] = []

  constructor(policies: ReadonlyMap<string, NaivePolicy>) {
    this.policies = new Map(policies)
  }

  visible(): NaiveEvent[] {
    const thawed = this.archives.filter((one) => one.thawedUntilMs !== undefined)
    const back = new Set(thawed.flatMap(({ events }) => events))
    return this.events.filter((one) => !one.isDeleted && (one.isStored || back.has(one)))
  }

  /** Its days in the store, oldest first. */
  storedDays(policy: string): number[] {
    const mine = this.events.filter((one) => one.policy === policy && one.isStored)
    return [...new Set(mine.map(({ day }) => day))].sort((a, b) => a - b)
  }

  /** False: a hold keeps some of them. */
  delete(deletion: Deletion): boolean {
    const { log, user, fromMs = -Infinity, toMs = Infinity } = deletion
    const policy = this.events.find((one) => one.log === log)?.policy
    const isHeld = this.holds.some(
      (hold) =>
        (hold.policy === policy || isOfLog(hold, log)) &&
        (hold.fromMs ?? -Infinity) < toMs &&
        (hold.toMs ?? Infinity) > fromMs,
    )
    if (isHeld) return false
    for (const one of this.events)
      if (one.log === log && (user ?? one.user) === one.user)
        if (one.timeMs >= fromMs && one.timeMs < toMs) {
          one.isDeleted = true
          one.isStored = false
        }
    return true
  }

  /** A day of which an event was received that is held is kept whole. */
  isHeldDay(policy: string, day: number): boolean {
    const received = this.events.filter((one) => one.policy === policy && one.day === day)
    return received.some((one) =>
      this.holds.some(
        (hold) =>
          (hold.policy === policy || isOfLog(hold, one.log)) &&
          one.timeMs >= (hold.fromMs ?? -Infinity) &&
          one.timeMs < (hold.toMs ?? Infinity),
      ),
    )
  }

  /** By the first and the last time of each of its logs. */
  isHeldArchive({ policy, events }: NaiveArchive): boolean {
    return [...new Set(events.map(({ log }) => log))].some((log) => {
      const times = events.filter((one) => one.log === log).map(({ timeMs }) => timeMs)
      return this.holds.some(
        (hold) =>
          (hold.policy === policy || isOfLog(hold, log)) &&
          Math.max(...times) >= (hold.fromMs ?? -Infinity) &&
          Math.min(...times) < (hold.toMs ?? Infinity),
      )
    })
  }

  /** `bytesOf`: what the days in the store take on the disk. Twice, as a job that comes again. */
  retain(nowMs: number, bytesOf: ReadonlyMap<string, number>): void {
    for (let run = 0; run < 2; run += 1) {
      for (const one of this.archives)
        if ((one.thawedUntilMs ?? Infinity) <= nowMs) one.thawedUntilMs = undefined
      this.#endArchives(nowMs)
      for (const [name, policy] of this.policies) {
        if (nowMs < policy.changedMs + GRACE_MS) continue
        for (const day of this.#daysThatGo(name, policy, nowMs, bytesOf)) this.#leave(name, day)
      }
    }
  }

  /** Into an archive of the day as it is. */
  archive(policy: string, day: number): void {
    const events = this.events.filter(
      (one) => one.policy === policy && one.day === day && one.isStored,
    )
    for (const older of this.archives)
      if (older.policy === policy && older.day === day && !older.hasLeft)
        if (older.events.length <= events.length) older.isEnding = true
    this.archives.push({
      ...{ number: 0, policy, day, events },
      ...{ hasLeft: false, isEnding: false, thawedUntilMs: undefined },
    })
  }

  #daysThatGo(
    name: string,
    { storageDays, storageMaxBytes }: NaivePolicy,
    nowMs: number,
    bytesOf: ReadonlyMap<string, number>,
  ): number[] {
    const today = Math.floor(nowMs / DAY_MS)
    const bytes = (days: readonly number[]) =>
      days.reduce((sum, day) => sum + (bytesOf.get(unitName(name, day)) ?? 0), 0)
    let stay = this.storedDays(name)
    const going: number[] = []
    const canGo = (day: number) => day < today - 1 && !this.isHeldDay(name, day)
    for (const day of this.storedDays(name)) {
      const isOld = storageDays !== null && day + 1 + storageDays <= today
      const isTooMuch = storageMaxBytes !== null && bytes(stay) > storageMaxBytes
      if (!canGo(day) || !(isOld || isTooMuch)) continue
      going.push(day)
      stay = stay.filter((one) => one !== day)
    }
    return going
  }

  #leave(policy: string, day: number): void {
    const events = this.events.filter(
      (one) => one.policy === policy && one.day === day && one.isStored,
    )
    const isSame = (one: NaiveArchive) =>
      one.events.length === events.length && one.events.every((event) => events.includes(event))
    const mine = () =>
      this.archives.filter((one) => one.policy === policy && one.day === day && !one.isEnding)
    if (this.policies.get(policy)?.isArchiving === true) {
      if (!mine().some(isSame)) this.archive(policy, day)
      for (const one of mine()) one.hasLeft = true
    }
    for (const event of events) event.isStored = false
  }

  #endArchives(nowMs: number): void {
    const today = Math.floor(nowMs / DAY_MS)
    this.archives = this.archives.filter((one) => {
      const { archiveDays = null, changedMs = 0 } = this.policies.get(one.policy) ?? {}
      const isOver =
        one.hasLeft &&
        archiveDays !== null &&
        nowMs >= changedMs + GRACE_MS &&
        one.day < today - archiveDays
      const isKept = one.thawedUntilMs !== undefined || (one.hasLeft && this.isHeldArchive(one))
      return isKept || !(isOver || one.isEnding)
    })
  }
}

/** A log is named by its folder and its name. */
function isOfLog({ log, folder }: NaiveHold, name: string): boolean {
  return log === name || (folder !== undefined && name.startsWith(`${folder}->`))
}
