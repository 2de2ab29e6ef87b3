// What accepting an offer does to the customer's licence (decision 9.10).
import type { Clock } from '../../infra/clock.ts'
import { Failure } from '../../schemas/failures.ts'
import { type LicenseTold, plan as planSchema } from '../../schemas/portal/accounts.ts'
import type { LicenseChange, Offered, OfferedLicense } from '../../schemas/portal/offers.ts'
import { addUtcMonths } from '../../schemas/time/time-date.ts'
import { newId } from '../access/ids.ts'
import { stateOfLicense } from '../accounts/license-routes.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { LicenseRow, OfferRow } from '../database/tables.ts'
import { sayMonths } from '../pricing/engine/duration.ts'

const GB = 1_000_000_000
type Plan = NonNullable<Offered['plan']>
export type Fault = { readonly pointer: string; readonly message: string }

/** Adds the current name of the licence. Fails with portal.not_found. */
export async function nameLicense(
  db: PortalReader,
  organizationId: string,
  change: LicenseChange | OfferedLicense | null,
): Promise<OfferedLicense | null> {
  if (change === null || !('licenseId' in change)) return change
  const { kind, licenseId } = change
  const row = await findLicense(db, organizationId, licenseId)
  if (row === undefined) throw new Failure('portal.not_found', { what: 'licence' })
  return { kind, licenseId, licenseName: row.name }
}

/** The plan afterwards, for the limits of what may be given; null: none changes. */
export async function planAfter(
  db: PortalReader,
  organizationId: string,
  { plan, license }: Pick<Offered, 'plan' | 'license'>,
): Promise<Plan | null> {
  if (license === null || !('licenseId' in license)) return plan
  const row = await findLicense(db, organizationId, license.licenseId)
  if (row === undefined || license.kind === 'replace') return plan
  const held = planSchema.parse(JSON.parse(row.plan))
  return plan === null ? held : addPlan(held, plan)
}

/** What is missing or contradicts itself before the offer can be sent. `months`: of its quote. */
export async function findLicenseFaults(
  db: PortalReader,
  organizationId: string,
  { plan, license }: Offered,
  months: number | null,
  nowMs: number,
): Promise<Fault[]> {
  const fault = (pointer: string, message: string) => [{ pointer, message }]
  if (license === null && plan === null)
    return fault('/plan', 'name a plan, or say that the offer makes no licence: license "none"')
  const kind = license?.kind ?? 'new'
  const needsPlan = kind === 'new' || kind === 'add' || kind === 'replace'
  if (needsPlan && plan === null) return fault('/plan', `a licence change "${kind}" needs a plan`)
  if (!needsPlan && plan !== null)
    return fault('/plan', `a licence change "${kind}" takes no plan: leave it out`)
  const faults: Fault[] = []
  if (kind === 'new') {
    const held = await findHeld(db, organizationId, nowMs)
    if (held !== undefined)
      faults.push(
        ...fault(
          '/license',
          `the customer has the licence "${held.name}" (${held.id}): add to it, extend it, or replace it`,
        ),
      )
  }
  if (license !== null && 'licenseId' in license) {
    const row = await findLicense(db, organizationId, license.licenseId)
    if (row === undefined || !canChange(row, kind, nowMs))
      faults.push(...fault('/license/licenseId', `the licence cannot be changed by "${kind}" now`))
  }
  if (months === null && kind !== 'none' && kind !== 'add')
    faults.push(
      ...fault('/content/term', 'name a term: the prices do not say how long the licence lasts'),
    )
  return faults
}

/** Changes the licences. Resolves with the one that was made or changed; null: none. Fails with
 *  portal.license_changed where the licence is no longer what the offer was made for. */
export async function changeLicense(
  transaction: PortalTransaction,
  { organization_id }: Pick<OfferRow, 'organization_id'>,
  { title, plan, license }: Offered,
  {
    months,
    nowMs,
    clock,
  }: { readonly months: number; readonly nowMs: number; readonly clock: Clock },
): Promise<string | null> {
  const toMs = addUtcMonths(nowMs, months)
  const make = async () => {
    if (plan === null) return null
    const id = newId('lcs', clock)
    await transaction
      .insertInto('licenses')
      .values({
        ...{ id, organization_id, name: title, plan: JSON.stringify(plan), state: 'active' },
        ...{ created_ms: nowMs, from_ms: nowMs, to_ms: toMs },
      })
      .execute()
    return id
  }
  // An offer that was sent before there were licence changes.
  if (license === null) return await make()
  if (license.kind === 'none') return null
  if (license.kind === 'new') {
    if ((await findHeld(transaction, organization_id, nowMs)) !== undefined)
      throw new Failure('portal.license_changed')
    return await make()
  }
  const { kind, licenseId } = license
  const row = await findLicense(transaction, organization_id, licenseId)
  if (row === undefined || !canChange(row, kind, nowMs)) throw new Failure('portal.license_changed')
  const update = (changed: Partial<LicenseRow>) =>
    transaction.updateTable('licenses').set(changed).where('id', '=', licenseId).execute()
  if (kind === 'extend') {
    await update({ to_ms: addUtcMonths(Math.max(row.to_ms, nowMs), months) })
    return licenseId
  }
  if (kind === 'add') {
    const held = planSchema.parse(JSON.parse(row.plan))
    await update({ plan: JSON.stringify(plan === null ? held : addPlan(held, plan)) })
    return licenseId
  }
  const made = await make()
  // The old one stays, since days that are over keep its price.
  await update({ to_ms: Math.max(nowMs, row.from_ms + 1) })
  await transaction
    .updateTable('deployments')
    .set({ license_id: made ?? licenseId })
    .where('license_id', '=', licenseId)
    .execute()
  await transaction
    .updateTable('credentials')
    .set({ owner_id: made ?? licenseId })
    .where('kind', '=', 'license')
    .where('owner_id', '=', licenseId)
    .execute()
  return made
}

/** In sentences that the customer reads before accepting. `months`: null until the offer says. */
export function describeEffects(
  { plan, license, credit }: Pick<Offered, 'plan' | 'license' | 'credit'>,
  { months, currency }: { readonly months: number | null; readonly currency: string },
): string[] {
  const duration = months === null ? '' : ` for ${sayMonths(months)}`
  const credits =
    credit === null
      ? []
      : [`Gives credits of ${credit} ${currency}${duration || ' for 12 months'}.`]
  return [...describeLicense(plan, license, duration), ...credits]
}

function describeLicense(
  plan: Plan | null,
  license: OfferedLicense | null,
  duration: string,
): string[] {
  const of = plan === null ? '' : `"${plan.name}" (${sayVolume(plan.volumeBytesPerDay)})`
  if (license === null || license.kind === 'new')
    return plan === null
      ? []
      : [`Makes a licence with the plan ${of}${duration}, from the day of acceptance.`]
  if (license.kind === 'none') return ['Changes no licence.']
  const name = `"${license.licenseName}"`
  if (license.kind === 'extend') return [`Extends the licence ${name}${duration}; its plan stays.`]
  if (license.kind === 'add')
    return [`Adds the volume of ${of} to the licence ${name}, until that ends.`]
  return [
    `Replaces the licence ${name} by one with the plan ${of}${duration}, from the day of acceptance.`,
    'Keys and deployments of the licence stay in use.',
  ]
}

function sayVolume(bytesPerDay: number): string {
  return bytesPerDay === 0 ? 'no limit' : `${bytesPerDay / GB} GB a day`
}

/** 0 is no limit. */
function addPlan(held: Plan, added: Plan): Plan {
  const [one, other] = [held.volumeBytesPerDay, added.volumeBytesPerDay]
  return {
    ...held,
    volumeBytesPerDay: one === 0 || other === 0 ? 0 : one + other,
    features: [...new Set([...held.features, ...added.features])],
  }
}

function canChange(row: LicenseRow, kind: OfferedLicense['kind'], nowMs: number): boolean {
  const state: LicenseTold['state'] = stateOfLicense(row, nowMs)
  return state !== 'revoked' && (kind === 'extend' || state !== 'expired')
}

async function findHeld(
  db: PortalReader,
  organizationId: string,
  nowMs: number,
): Promise<LicenseRow | undefined> {
  return await db
    .selectFrom('licenses')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('state', '!=', 'revoked')
    .where('to_ms', '>', nowMs)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

async function findLicense(
  db: PortalReader,
  organizationId: string,
  id: string,
): Promise<LicenseRow | undefined> {
  return await db
    .selectFrom('licenses')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}
