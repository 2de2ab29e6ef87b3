// Every page of console and workspace, by a short name, as pictures and checks of access go
// through them. `list` pages show what the sample world has.

export type ListedPage = {
  readonly name: string
  readonly path: string
  /** Keys that are pressed when the page is there, one after the other. */
  readonly keys?: readonly string[]
  /** What has to be there before the keys are pressed, and after them. */
  readonly from?: string
  readonly shows?: string
  /** A link that leads to the page, from the one at the path. */
  readonly click?: string
}

const MANAGE = [
  ...['tree', 'listeners', 'templates', 'tags', 'collection', 'accounts', 'tasks', 'monitors'],
  ...['alerts', 'users', 'groups', 'policies', 'rights', 'privacy', 'own', 'health', 'storage'],
  ...['silent', 'rejected', 'audit', 'settings', 'license'],
]

const search = (parameters: Record<string, string>) => `/logeye/?${new URLSearchParams(parameters)}`
const DAY = { interval: 'last24Hours' }

export const CONSOLE_PAGES: readonly ListedPage[] = [
  { name: 'search', path: search(DAY) },
  {
    ...{ name: 'search-open', path: search({ ...DAY, query: 'timeout' }), keys: ['j', 'Enter'] },
    ...{ from: '.event-message mark', shows: '.detail-list' },
  },
  {
    ...{ name: 'search-context', path: search({ ...DAY, query: 'timeout' }), keys: ['j', 'c'] },
    ...{ from: '.event-message mark', shows: '.context-line' },
  },
  { name: 'search-columns', path: `${search(DAY)}&column=service&column=city&wrap=1&compare=1` },
  { name: 'search-shapes', path: search({ ...DAY, tab: 'shapes' }) },
  { name: 'search-table', path: search({ ...DAY, query: '* | count | group by service, level' }) },
  {
    name: 'search-chart',
    path: search({ ...DAY, query: '* | count | group by service', tab: 'chart' }),
  },
  { name: 'search-error', path: search({ ...DAY, query: '(timeout' }) },
  { name: 'search-warning', path: search({ ...DAY, query: "level = 'ERROR'" }) },
  { name: 'search-empty', path: search({ query: 'timeout upstreem', interval: 'last15Minutes' }) },
  { name: 'search-time', path: search(DAY), keys: ['t'] },
  { name: 'search-keys', path: search(DAY), keys: ['?'] },
  { name: 'search-save', path: search({ ...DAY, query: 'timeout' }), keys: ['s'] },
  { name: 'search-saved', path: search(DAY), keys: ['o'] },
  { name: 'parts', path: '/logeye/parts' },
  { name: 'dashboards', path: '/logeye/dashboards' },
  { name: 'dashboard', path: '/logeye/dashboards/Shop/Orders' },
  { name: 'dashboard-web', path: '/logeye/dashboards/Web%20access/Overview' },
  { name: 'dashboard-edit', path: '/logeye/dashboards/Shop/Orders?edit=1' },
  ...MANAGE.map((name) => ({ name: `manage-${name}`, path: `/logeye/manage/${name}` })),
  { name: 'manage-listener-new', path: '/logeye/manage/listeners?new=1' },
  { name: 'manage-template-new', path: '/logeye/manage/templates?new=1' },
  { name: 'manage-monitor-new', path: '/logeye/manage/monitors?new=1' },
  { name: 'manage-user', path: '/logeye/manage/users?item=anna' },
]

const item = (name: string, section: string, tab: string) => ({
  name: `manage-${name}`,
  path: `/logeye/manage/${section}${tab === '' ? '' : `&tab=${tab}`}`,
})

/** Of what `fillManage` makes. */
export const MANAGED_PAGES: readonly ListedPage[] = [
  item('monitor', 'monitors?item=Payments%20fail', ''),
  item('monitor-history', 'monitors?item=Payments%20fail', 'history'),
  item('monitor-trial', 'monitors?item=Payments%20fail', 'trial'),
  { ...item('alert', 'alerts', ''), click: 'tbody a' },
  item('task-runs', 'tasks?item=Local%20files', 'runs'),
  item('task-runs-gone', 'tasks?item=Gone', 'runs'),
  item('listener-masks', 'listeners?item=Payments', 'masks'),
  item('listener-shaping', 'listeners?item=Shop%20edge', 'shaping'),
  item('policy-masks', 'policies?item=Support', 'masks'),
  item('storage-holds', 'storage?tab=holds', ''),
  item('storage-deletions', 'storage?tab=deletions', ''),
]

export const WORKSPACE_PAGES: readonly ListedPage[] = [
  { name: 'overview', path: '/portal/' },
  ...['usage', 'deployments', 'credits', 'offers', 'catalog', 'api-keys', 'webhooks', 'people']
    .concat(['audit', 'account'])
    .map((name) => ({ name, path: `/portal/${name}` })),
  { name: 'offer', path: '/portal/offers', click: 'tbody a' },
  { name: 'offer-new', path: '/portal/offers?new=1' },
  { name: 'deployment', path: '/portal/deployments', click: 'tbody a' },
  { name: 'webhook', path: '/portal/webhooks', click: 'tbody a' },
]

/** Of the vendor's staff. */
export const VENDOR_PAGES: readonly ListedPage[] = [
  ...['customers', 'licenses', 'price-books', 'deployments', 'offers', 'catalog', 'people', 'audit']
    .concat(['account'])
    .map((name) => ({ name, path: `/portal/${name}` })),
  { name: 'organization', path: '/portal/customers', click: 'tbody a' },
  { name: 'price-book', path: '/portal/price-books', click: 'tbody a' },
  { name: 'offer', path: '/portal/offers', click: 'tbody a' },
  { name: 'deployment', path: '/portal/deployments', click: 'tbody a' },
]
