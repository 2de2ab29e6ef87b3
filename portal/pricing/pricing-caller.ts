// Who asks for prices: channel, region and currency of the organization that the call acts for,
// never of the request (decision 9.9).

import type { PricingCaller } from '../../schemas/portal/pricing/caller.ts'
import type { PriceBook } from '../../schemas/portal/pricing/price-book.ts'
import type { PersonRole } from '../../schemas/portal/roles.ts'
import type { Caller } from '../access/caller.ts'
import type { PortalReader } from '../database/open.ts'
import { viewFor } from './engine/view.ts'

type Profile = {
  readonly channel: string | null
  readonly region: string
  readonly currency: string
}

const NO_PROFILE = { channel: null, region: '', currency: '' }

export async function findProfile(db: PortalReader, id: string | undefined): Promise<Profile> {
  if (id === undefined) return NO_PROFILE
  const fields = ['channel', 'region', 'currency'] as const
  const row = db.selectFrom('organizations').select(fields).where('id', '=', id)
  return (await row.executeTakeFirst()) ?? NO_PROFILE
}

/** Region and currency of the profile count where the book has them. */
export function toPricingCaller(caller: Caller, profile: Profile, book: PriceBook): PricingCaller {
  const asker = { channel: profile.channel, role: roleOf(caller) }
  const { currencies } = viewFor(book, asker)
  const region = profile.region.toLowerCase()
  return {
    ...asker,
    region: book.regions.find(({ id }) => id.toLowerCase() === region)?.id ?? null,
    currency: currencies.find((code) => code === profile.currency) ?? null,
  }
}

/** An API key takes nothing off by hand. */
function roleOf(caller: Caller): PersonRole | null {
  if (caller.kind === 'operator') return 'operator'
  return caller.kind === 'session' ? (caller.role ?? null) : null
}
