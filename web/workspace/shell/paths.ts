export const HOME = '/portal/'

export const PATHS = {
  overview: HOME,
  customers: '/portal/customers',
  licenses: '/portal/licenses',
  priceBooks: '/portal/price-books',
  deployments: '/portal/deployments',
  usage: '/portal/usage',
  credits: '/portal/credits',
  offers: '/portal/offers',
  catalog: '/portal/catalog',
  keys: '/portal/api-keys',
  webhooks: '/portal/webhooks',
  people: '/portal/people',
  audit: '/portal/audit',
  account: '/portal/account',
  /** Mail leads here. */
  password: '/portal/password',
} as const

export function isWorkspacePage(path: string): boolean {
  return path.startsWith(HOME) && !path.startsWith('/portal/assets/')
}

/** Last part of the path, of a page of one thing. */
export function itemOf(path: string): string | undefined {
  return /^\/portal\/[^/]+\/([^/]+)$/.exec(path)?.[1]
}
