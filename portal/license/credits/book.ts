// Changes of a ledger. Each first books what time has done (expiry), then the change itself, as the
// difference between what was booked and what holds now (docs/decisions/0058).
import { type Allocation, allocate, type GrantFigures } from './allocate.ts'
import { parseAmount, printAmount } from './amount.ts'
import { type Change, explainBurn, explainExpiry, explainGrant, explainVoid } from './explain.ts'
import type { Entry, Grant, Ledger, MovementKind, Usage } from './ledger.ts'

export type Booked =
  | { readonly kind: 'booked'; readonly ledger: Ledger }
  /** The ledger stays as it is; `reason` says what to do. */
  | { readonly kind: 'refused'; readonly reason: string }

/** A grant that is there already, word for word, changes nothing. */
export function addGrant(ledger: Ledger, grant: Grant, at: string): Booked {
  const known = ledger.grants.find(({ id }) => id === grant.id)
  if (known && JSON.stringify(sorted(known)) === JSON.stringify(sorted(grant)))
    return bookTime(ledger, at)
  const reason = known
    ? `grant ${grant.id} is there with other values`
    : findGrantProblem(ledger, grant)
  if (reason !== undefined) return refused(reason)
  const before = bookTime(ledger, at)
  if (before.kind === 'refused') return before
  const granted = printAmount(parseAmount(grant.amount) ?? 0n)
  const kept = { ...grant, amount: granted }
  const entries: Entry[] = [
    { account: 'granted', grantId: grant.id, amount: `-${granted}` },
    { account: 'available', grantId: grant.id, amount: granted },
  ]
  const explanation = explainGrant(kept)
  const opened = append(before.ledger, { at, kind: 'grant', entries, explanation })
  // It may be of an earlier day, and pay usage that was uncovered or that others paid.
  return bookChange(before.ledger, { ...opened, grants: [...opened.grants, kept] }, (changes) => ({
    at,
    kind: 'correct',
    explanation: explainBurn({ ledger: opened, changes, because: `Grant ${grant.id} was added` }),
  }))
}

/** What was used, known for the first time or corrected: the amount of a key is replaced. Zero
 *  takes it back. */
export function reportUsage(ledger: Ledger, usage: Usage, at: string): Booked {
  const amount = parseAmount(usage.amount)
  if (amount === undefined)
    return refused(
      `the amount of ${usage.key} is no decimal number of at least 0 with at most 12 digits`,
    )
  if (!isMoment(usage.at))
    return refused(`the moment of ${usage.key} is no ISO date and time in UTC`)
  const known = ledger.usage.find(({ key }) => key === usage.key)
  if (known && Date.parse(known.at) !== Date.parse(usage.at))
    return refused(`${usage.key} was reported for ${known.at}: a correction keeps the moment`)
  const before = bookTime(ledger, at)
  if (before.kind === 'refused') return before
  const kept = { ...usage, amount: printAmount(amount) }
  const others = before.ledger.usage.filter(({ key }) => key !== usage.key)
  const after = { ...before.ledger, usage: [...others, kept] }
  const because = known
    ? `Usage of ${usage.at} was corrected from ${known.amount} to ${kept.amount} ${ledger.currency} (${usage.reason})`
    : `Usage of ${usage.at}: ${kept.amount} ${ledger.currency} (${usage.reason})`
  return bookChange(before.ledger, after, (changes) => ({
    at,
    kind: known || isReclaim(changes) ? 'correct' : 'burn',
    explanation: explainBurn({ ledger: after, changes, because }),
  }))
}

/** Takes back what is left of a grant; what it has paid stays paid. Nothing changes twice. */
export function voidGrant(
  ledger: Ledger,
  { grantId, reason }: { readonly grantId: string; readonly reason: string },
  at: string,
): Booked {
  const grant = ledger.grants.find(({ id }) => id === grantId)
  if (!grant) return refused(`there is no grant ${grantId}`)
  const before = bookTime(ledger, at)
  if (before.kind === 'refused' || ledger.voided.some((it) => it.grantId === grantId)) return before
  const after = { ...before.ledger, voided: [...before.ledger.voided, { grantId, at, reason }] }
  return bookChange(before.ledger, after, (changes) => ({
    at,
    kind: 'void',
    explanation: explainVoid({ ledger: after, grant, changes, reason }),
  }))
}

/** Books what has expired up to `at`, one movement a grant. */
export function bookTime(ledger: Ledger, at: string): Booked {
  if (!isMoment(at)) return refused('the moment of the booking is no ISO date and time in UTC')
  const { bookedAt } = ledger
  if (bookedAt !== null && Date.parse(at) < Date.parse(bookedAt))
    return refused(`the last booking was at ${bookedAt}: no booking is earlier`)
  if (!endsBetween(ledger, at)) return { kind: 'booked', ledger: { ...ledger, bookedAt: at } }
  let next: Ledger = ledger
  const past = bookedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(bookedAt)
  for (const change of findChanges(allocate(ledger, past), allocate(ledger, Date.parse(at)))) {
    const grant = ledger.grants.find(({ id }) => id === change.grantId)
    if (!grant) continue
    const explanation = explainExpiry({ ledger, grant, amount: change.expired })
    next = append(next, { at, kind: 'expire', entries: toEntries(change), explanation })
  }
  return { kind: 'booked', ledger: { ...next, bookedAt: at } }
}

/** True when a grant expires after the last booking and up to `at`. */
function endsBetween({ grants, bookedAt }: Ledger, at: string): boolean {
  const [past, now] = [bookedAt === null ? -Infinity : Date.parse(bookedAt), Date.parse(at)]
  return grants.some(({ expiresAt }) => {
    const expiresMs = expiresAt === null ? Infinity : Date.parse(expiresAt)
    return expiresMs > past && expiresMs <= now
  })
}

type NewMovement = {
  readonly at: string
  readonly kind: MovementKind
  readonly entries: readonly Entry[]
  readonly explanation: string
}

/** `before`: as booked at the same moment. Without a difference there is no movement. */
function bookChange(
  before: Ledger,
  after: Ledger,
  describe: (changes: readonly Change[]) => Omit<NewMovement, 'entries'>,
): Booked {
  const nowMs = Date.parse(before.bookedAt ?? '')
  const changes = findChanges(allocate(before, nowMs), allocate(after, nowMs))
  if (changes.length === 0) return { kind: 'booked', ledger: after }
  const entries = changes.flatMap(toEntries)
  return { kind: 'booked', ledger: append(after, { ...describe(changes), entries }) }
}

function append(ledger: Ledger, movement: NewMovement): Ledger {
  const numbered = { number: ledger.movements.length + 1, ...movement }
  return { ...ledger, movements: [...ledger.movements, numbered] }
}

const NOTHING: GrantFigures = { granted: 0n, available: 0n, burned: 0n, expired: 0n, voided: 0n }

function findChanges(before: Allocation, after: Allocation): Change[] {
  const changes: Change[] = []
  for (const [grantId, figures] of after.grants) {
    const old = before.grants.get(grantId) ?? NOTHING
    changes.push({
      grantId,
      burned: figures.burned - old.burned,
      expired: figures.expired - old.expired,
      voided: figures.voided - old.voided,
      uncovered: 0n,
    })
  }
  const uncovered = after.uncovered - before.uncovered
  changes.push({ grantId: null, burned: 0n, expired: 0n, voided: 0n, uncovered })
  return changes.filter((it) => it.burned || it.expired || it.voided || it.uncovered)
}

function toEntries({ grantId, burned, expired, voided, uncovered }: Change): Entry[] {
  const amounts = [
    ['available', -(burned + expired + voided)],
    ['burned', burned],
    ['expired', expired],
    ['voided', voided],
    ['uncovered', uncovered],
    ['owed', -uncovered],
  ] as const
  return amounts
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ account, grantId, amount: printAmount(amount) }))
}

/** A late report took back what had expired, or moved what others had paid. */
function isReclaim(changes: readonly Change[]): boolean {
  return changes.some((it) => it.burned < 0n || it.expired !== 0n || it.voided !== 0n)
}

function findGrantProblem(ledger: Ledger, grant: Grant): string | undefined {
  const { id, amount, currency, effectiveAt, expiresAt, priority } = grant
  const size = parseAmount(amount)
  if (size === undefined || size === 0n)
    return `the amount of grant ${id} is no decimal number above 0 with at most 12 digits`
  if (currency !== ledger.currency)
    return `grant ${id} is in ${currency}, the organisation's credits are in ${ledger.currency}`
  if (!Number.isInteger(priority)) return `the priority of grant ${id} is no whole number`
  if (!isMoment(effectiveAt) || (expiresAt !== null && !isMoment(expiresAt)))
    return `the moments of grant ${id} are no ISO dates and times in UTC`
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(effectiveAt))
    return `grant ${id} expires before it is effective`
  return undefined
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/

function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text))
}

function refused(reason: string): Booked {
  return { kind: 'refused', reason }
}

function sorted(grant: Grant): unknown {
  const amount = parseAmount(grant.amount)
  const entries = Object.entries({ ...grant, amount: amount === undefined ? '' : String(amount) })
  return entries.sort(([a], [b]) => (a < b ? -1 : 1))
}
