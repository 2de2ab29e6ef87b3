// `logeye portal demo`: fills an empty portal with a story of ninety days, by the calls that
// everybody makes, each at its time. Of one seed the same numbers, relative to now; ids, passwords
// and tokens are never the same. What a crash leaves half is not mended: begin with an empty one.
import { z } from 'zod'
import type { Clock } from '../../infra/clock.ts'
import type { Logger } from '../../infra/logger.ts'
import type { ObjectStore } from '../../infra/objects/port.ts'
import { Failure } from '../../schemas/failures.ts'
import { makeOperator } from '../accounts/init-portal.ts'
import { makePortalApp } from '../app.ts'
import type { PortalDatabase, PortalReader } from '../database/open.ts'
import { keepStatus } from '../license/status/keep-status.ts'
import { dayOf } from '../pricing/price-books.ts'
import { makeDemoBook } from './demo-books.ts'
import { type DemoCaller, makeDemoCaller } from './demo-caller.ts'
import { type DemoClock, makeDemoClock } from './demo-clock.ts'
import {
  type DemoDeployment,
  type Reporting,
  registerDemo,
  reportCopy,
  reportHours,
} from './demo-deployments.ts'
import { acceptOffer, type DemoOffer, draftOffer, sendOffer } from './demo-offers.ts'
import { type DemoOrganizations, makeOrganizations, signInAs } from './demo-people.ts'
import { printDemo } from './print-demo.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DAYS = 90
/** Days before now. */
const TOLD = { begin: 105, newBook: 20, retired: 30, silent: 3 }
const withKey = z.object({ licenseKey: z.string() })
const withLicense = withKey.extend({ license: z.object({ id: z.string() }) })

/** Ids, by customer. */
type Licenses = { readonly direct: string; readonly sold: string }

type Options = {
  readonly clock: Clock
  readonly logger: Logger
  readonly folder: string
  readonly publicUrl: string
  readonly version: string
  readonly objects: ObjectStore
  readonly seed: number
}

type Story = {
  readonly call: DemoCaller
  readonly clock: DemoClock
  readonly operator: string
  readonly organizations: DemoOrganizations
  readonly seed: number
  readonly nowMs: number
  /** Sets the clock to so many days before now. */
  readonly daysAgo: (days: number) => number
}

/** Resolves with what to print. Fails with portal.not_empty. */
export async function fillDemo(database: PortalDatabase, options: Options): Promise<string> {
  const { seed, publicUrl, logger } = options
  await requireEmpty(database.read)
  const nowMs = options.clock.nowMs()
  const clock = makeDemoClock(options.clock, nowMs - TOLD.begin * DAY_MS)
  const operator = await makeOperator(database, clock, 'logeye portal demo')
  const app = await makePortalApp({ ...options, database, clock })
  try {
    const call = makeDemoCaller(app)
    const daysAgo = (days: number) => {
      clock.setTo(nowMs - days * DAY_MS)
      return clock.nowMs()
    }
    const organizations = await makeOrganizations(call, operator, clock)
    const story: Story = { call, clock, operator, organizations, seed, nowMs, daysAgo }
    const chores = () => keepStatus({ database, clock, logger }, new AbortController().signal)
    await tell(story, chores)
    return printDemo({ organizations, operator, publicUrl })
  } finally {
    await app.close()
  }
}

/** A portal that was only begun is empty. */
async function requireEmpty(db: PortalReader): Promise<void> {
  const others = db.selectFrom('organizations').select('id').where('kind', '!=', 'vendor')
  const found = [
    await others.limit(1).executeTakeFirst(),
    await db.selectFrom('people').select('id').limit(1).executeTakeFirst(),
    await db.selectFrom('price_books').select('id').limit(1).executeTakeFirst(),
  ]
  if (found.some((row) => row !== undefined)) throw new Failure('portal.not_empty')
}

async function tell(story: Story, chores: () => Promise<void>): Promise<void> {
  const { call, operator, organizations, daysAgo } = story
  const { direct, sold, signIns } = organizations
  const { seed } = story
  const first = dayOf(daysAgo(TOLD.begin) - DAY_MS)
  const book = { path: '/price-books', as: operator }
  await call({ ...book, body: makeDemoBook(first, { eur: '26', usd: '29', resale: '19.50' }) })

  const sales = await signInAs(call, signIns, 'sales')
  const admin = await signInAs(call, signIns, 'customer_admin')
  const offered = {
    ...{ title: 'Log service of the harbour', as: sales, of: direct, gbPerDay: 40 },
    ...{ nowMs: daysAgo(TOLD.begin), validDays: 30, credit: '2400' },
    creditPricePerGib: '0.55',
  }
  const bought = await acceptOffer(call, await sendOffer(call, offered), admin)
  const keyOf = async (licenseId: string) =>
    withKey.parse(await call({ method: 'POST', path: `/licenses/${licenseId}/keys`, as: operator }))
      .licenseKey
  const clinics = withLicense.parse(
    await call({ path: '/licenses', as: operator, body: makeClinicsLicense(sold, story.nowMs) }),
  )
  const licenses: Licenses = { direct: bought, sold: clinics.license.id }
  await grant(story, sold, { amount: '520', source: 'Start credit' })

  daysAgo(DAYS + 1)
  const key = await keyOf(bought)
  const production = await registerDemo(call, key, makeProduction(seed))
  const warehouse = await registerDemo(call, key, makeWarehouse(seed))
  const pilot = await registerDemo(call, key, makePilot(seed))
  const clinic = await registerDemo(call, clinics.licenseKey, makeClinic(seed))
  const until = new Map<Reporting, number>([
    [production, 0],
    [warehouse, TOLD.silent],
    [pilot, TOLD.retired],
    [clinic, 0],
  ])
  for (let day = DAYS; day >= 0; day -= 1) {
    const beginMs = Math.floor(daysAgo(day) / DAY_MS) * DAY_MS
    for (const [deployment, last] of until)
      if (day >= last) await reportDay(story, deployment, beginMs, day)
    if (day === 60) await tellMiddle(story, licenses)
    if (day === TOLD.retired) await retire(story, pilot)
    if (day === TOLD.newBook) {
      const body = makeDemoBook(dayOf(beginMs), { eur: '27.50', usd: '31', resale: '21' })
      await call({ ...book, body })
    }
    if (day === 1) await tellEnd(story, licenses, clinic)
    // As every portal does now and then: what was used is booked, alerts are kept.
    if (day % 3 === 0) await chores()
  }
}

/** The day before, and of today what has passed. */
async function reportDay({ call, nowMs }: Story, to: Reporting, beginMs: number, day: number) {
  const sinceMs = Math.floor(nowMs / DAY_MS - DAYS) * DAY_MS
  await reportHours(call, to, { fromMs: beginMs - DAY_MS, toMs: beginMs, sinceMs })
  if (day === 0) await reportHours(call, to, { fromMs: beginMs, toMs: nowMs, sinceMs })
}

async function tellMiddle(story: Story, licenses: Licenses): Promise<void> {
  const { call, organizations, clock } = story
  const { direct, sold, signIns } = organizations
  const sales = await signInAs(call, signIns, 'sales')
  const admin = await signInAs(call, signIns, 'customer_admin')
  const offer: DemoOffer = {
    ...{ title: 'More volume', as: sales, of: direct, gbPerDay: 120 },
    ...{ nowMs: clock.nowMs(), validDays: 30 },
    license: { kind: 'add', licenseId: licenses.direct },
  }
  const rejected = await sendOffer(call, offer)
  const body = { reason: 'More than we need this year' }
  await call({ path: `/offers/${rejected}/reject`, as: admin, body })
  await sendOffer(call, {
    ...{ ...offer, title: 'Second site', of: sold, gbPerDay: 15, validDays: 14 },
    license: { kind: 'add', licenseId: licenses.sold },
  })
  await grant(story, direct, {
    ...{ amount: '300', source: 'Goodwill of the outage in spring', priority: 10 },
    expiresAt: new Date(story.nowMs + 12 * DAY_MS).toISOString(),
  })
}

async function tellEnd(story: Story, licenses: Licenses, clinic: Reporting): Promise<void> {
  const { call, organizations, clock } = story
  const { direct, sold, signIns } = organizations
  const sales = await signInAs(call, signIns, 'sales')
  const reseller = await signInAs(call, signIns, 'channel')
  const offer: DemoOffer = {
    ...{ title: 'Renewal with more volume', as: sales, of: direct, gbPerDay: 60 },
    ...{ nowMs: clock.nowMs(), validDays: 30, credit: '3000', creditPricePerGib: '0.50' },
    license: { kind: 'replace', licenseId: licenses.direct },
  }
  await sendOffer(call, offer)
  await draftOffer(call, {
    ...{ ...offer, title: 'Renewal of the clinics', of: sold, gbPerDay: 20 },
    license: { kind: 'replace', licenseId: licenses.sold },
  })
  // The licence and its plan are the staff's to say: what a channel drafts has none.
  const body = {
    ...{ title: 'Training for the clinics', validUntil: new Date(clock.nowMs() + 30 * DAY_MS) },
    content: { lines: [{ item: 'training', quantity: '4' }] },
  }
  await call({ path: '/offers', as: reseller, of: sold, body })
  clock.setTo(story.nowMs - 5 * HOUR_MS)
  await reportCopy(call, clinic)
}

async function retire({ call, operator, organizations }: Story, { id }: Reporting): Promise<void> {
  const { direct: of } = organizations
  const body = { state: 'retired' }
  await call({ method: 'PATCH', path: `/deployments/${id}`, as: operator, of, body })
}

async function grant({ call, operator }: Story, of: string, body: object): Promise<void> {
  await call({ path: '/credits/grants', as: operator, of, body })
}

/** It ends soon. */
function makeClinicsLicense(organizationId: string, nowMs: number) {
  return {
    ...{ organizationId, name: 'Clinics' },
    plan: {
      ...{ name: 'Starter', volumeBytesPerDay: 9_000_000_000 },
      creditPricePerGib: '0.60',
    },
    validTo: new Date(nowMs + 21 * DAY_MS).toISOString(),
  }
}

const GB_PER_HOUR = 1_000_000_000 / 24

function makeProduction(seed: number): DemoDeployment {
  const shape = { weeklyGrowth: 0.018, weekend: 0.55 }
  return {
    ...{ name: 'Hamburg production', layout: 'X8', address: '203.0.113.20' },
    ...{ fingerprint: 'harbour-production-1', nodes: ['ham-1', 'ham-2', 'ham-3'] },
    sources: {
      terminal: { ...shape, seed, bytesPerHour: 21 * GB_PER_HOUR },
      office: { ...shape, seed: seed + 1, weekend: 0.1, bytesPerHour: 6 * GB_PER_HOUR },
    },
  }
}

function makeWarehouse(seed: number): DemoDeployment {
  return {
    ...{ name: 'Warehouse', layout: 'V7', address: '203.0.113.31', nodes: ['wh-1'] },
    fingerprint: 'harbour-warehouse-1',
    sources: {
      '': { seed: seed + 2, weeklyGrowth: 0.004, weekend: 0.2, bytesPerHour: 4 * GB_PER_HOUR },
    },
  }
}

function makePilot(seed: number): DemoDeployment {
  return {
    ...{ name: 'Pilot', layout: 'V7', address: '203.0.113.32', nodes: ['pilot'] },
    fingerprint: 'harbour-pilot-1',
    sources: {
      '': { seed: seed + 3, weeklyGrowth: -0.05, weekend: 0.3, bytesPerHour: GB_PER_HOUR },
    },
  }
}

function makeClinic(seed: number): DemoDeployment {
  return {
    ...{ name: 'Clinic cluster', layout: 'X8', address: '198.51.100.12' },
    ...{ fingerprint: 'lakeside-clinic-1', nodes: ['clinic-1', 'clinic-2'] },
    sources: {
      wards: { seed: seed + 4, weeklyGrowth: 0.022, weekend: 0.85, bytesPerHour: 8 * GB_PER_HOUR },
    },
  }
}
