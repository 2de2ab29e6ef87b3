// Who asks for prices. Made by the portal out of the session; nobody sends it.

/** Roles of the portal (decision 9.5). */
export const PRICING_ROLES = [
  'customer_viewer',
  'customer_admin',
  'sales',
  'channel',
  'operator',
] as const

export type PricingRole = (typeof PRICING_ROLES)[number]

export type PricingCaller = {
  /** Of the caller's profile; null: prices of the list. */
  readonly channel: string | null
  /** Null: none, so that prices without a region count. */
  readonly region: string | null
  /** ISO 4217; null: the first of the price book. */
  readonly currency: string | null
  /** Null: not signed in. */
  readonly role: PricingRole | null
}
