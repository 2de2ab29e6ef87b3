// Roles of people, and which ones an organization has.

export const PERSON_ROLES = [
  'customer_viewer',
  'customer_admin',
  'sales',
  'channel',
  'operator',
] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

/** Who buys, who resells, and the maker itself. */
export const ORGANIZATION_KINDS = ['customer', 'channel', 'vendor'] as const
export type OrganizationKind = (typeof ORGANIZATION_KINDS)[number]

/** Roles that people of an organization can have. */
export const ROLES_OF: Readonly<Record<OrganizationKind, readonly PersonRole[]>> = {
  customer: ['customer_viewer', 'customer_admin'],
  channel: ['channel'],
  vendor: ['sales', 'operator'],
}
