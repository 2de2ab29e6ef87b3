// The pages of the workspace, and who sees them. A further page is a line here.
import type { ComponentType } from 'preact'
import type { PersonRole } from '../../../schemas/portal/roles.ts'
import { lazy } from '../../shared/lazy.tsx'
import { hasRole, isVendor, session } from '../api/session.ts'
import { OverviewPage } from '../overview/overview-page.tsx'
import { WORKSPACE } from '../texts.ts'
import { PATHS } from './paths.ts'

const T = WORKSPACE.pages
const SELLERS = ['sales', 'channel', 'operator'] as const
const STAFF = ['sales', 'operator'] as const
const MANAGERS = ['customer_admin', 'operator'] as const

export type Page = {
  /** Itself and what stands below it. */
  readonly path: string
  readonly name: string
  readonly group: keyof typeof WORKSPACE.groups
  readonly Content: ComponentType
  /** Absent: everybody. */
  readonly roles?: readonly PersonRole[]
  /** Of things that customers alone have. */
  readonly isOfCustomer?: true
  /** Shown to the vendor's staff who act for nobody else, too: those of all customers. */
  readonly isOfVendor?: true
}

const PAGES: readonly Page[] = [
  {
    ...{ path: PATHS.customers, name: T.customers, group: 'sell', roles: SELLERS },
    Content: lazy(async () => (await import('../operate/customers-page.tsx')).CustomersPage),
  },
  {
    ...{ path: PATHS.licenses, name: T.licenses, group: 'sell', roles: STAFF },
    Content: lazy(async () => (await import('../operate/licenses-page.tsx')).LicensesPage),
  },
  {
    ...{ path: PATHS.priceBooks, name: T.priceBooks, group: 'sell', roles: STAFF },
    Content: lazy(async () => (await import('../operate/price-books-page.tsx')).PriceBooksPage),
  },
  {
    ...{ path: PATHS.overview, name: T.overview, group: 'use', isOfCustomer: true },
    Content: OverviewPage,
  },
  {
    ...{ path: PATHS.usage, name: T.usage, group: 'use', isOfCustomer: true },
    Content: lazy(async () => (await import('../usage/usage-page.tsx')).UsagePage),
  },
  {
    ...{ path: PATHS.deployments, name: T.deployments, group: 'use', isOfCustomer: true },
    isOfVendor: true,
    Content: lazy(
      async () => (await import('../deployments/deployments-page.tsx')).DeploymentsPage,
    ),
  },
  {
    ...{ path: PATHS.credits, name: T.credits, group: 'use', isOfCustomer: true },
    Content: lazy(async () => (await import('../credits/credits-page.tsx')).CreditsPage),
  },
  {
    ...{ path: PATHS.offers, name: T.offers, group: 'buy', isOfCustomer: true },
    isOfVendor: true,
    Content: lazy(async () => (await import('../offers/offers-page.tsx')).OffersPage),
  },
  {
    ...{ path: PATHS.catalog, name: T.catalog, group: 'buy' },
    Content: lazy(async () => (await import('../catalog/catalog-page.tsx')).CatalogPage),
  },
  {
    ...{ path: PATHS.keys, name: T.keys, group: 'integrate', roles: MANAGERS, isOfCustomer: true },
    Content: lazy(async () => (await import('../integrations/keys-page.tsx')).KeysPage),
  },
  {
    ...{ path: PATHS.webhooks, name: T.webhooks, group: 'integrate', roles: MANAGERS },
    isOfCustomer: true,
    Content: lazy(async () => (await import('../integrations/webhooks-page.tsx')).WebhooksPage),
  },
  {
    ...{ path: PATHS.people, name: T.people, group: 'organization', roles: MANAGERS },
    Content: lazy(async () => (await import('../people/people-page.tsx')).PeoplePage),
  },
  {
    ...{ path: PATHS.audit, name: T.audit, group: 'organization', roles: MANAGERS },
    Content: lazy(async () => (await import('../audit/audit-page.tsx')).AuditPage),
  },
  {
    ...{ path: PATHS.account, name: T.account, group: 'organization' },
    Content: lazy(async () => (await import('../account/account-page.tsx')).AccountPage),
  },
]

/** A vendor buys nothing: what customers buy, it sells. */
export function groupOf({ group }: Page): Page['group'] {
  return group === 'buy' && isVendor() ? 'sell' : group
}

/** Beside all price books, what is in force has a name of its own. */
export function nameOf({ path, name }: Page): string {
  return path === PATHS.catalog && isVendor() ? T.catalogOfVendor : name
}

/** Those that are shown to whoever has signed in. */
export function pagesOfNow(): readonly Page[] {
  const kind = session.value?.organization?.kind
  return PAGES.filter(
    ({ roles, isOfCustomer, isOfVendor }) =>
      (roles === undefined || hasRole(...roles)) &&
      (kind === 'customer' || !isOfCustomer || (kind === 'vendor' && isOfVendor)),
  )
}

/** Undefined: there is none, or not for this person. */
export function findPage(path: string): Page | undefined {
  const pages = pagesOfNow()
  if (path === PATHS.overview) return pages.find((page) => page.path === path) ?? pages[0]
  return pages.find(
    (page) =>
      page.path !== PATHS.overview && (path === page.path || path.startsWith(`${page.path}/`)),
  )
}
