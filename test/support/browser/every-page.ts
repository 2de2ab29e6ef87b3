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
  /** A link or button that leads to the page, from the one at the path. */
  readonly click?: string
  /** A button of the page that the click leads to. */
  readonly next?: string
  /** States that it is shown in; absent: in each. */
  readonly states?: readonly PageState[]
  /** The click is an act: the page before it is there in each state. */
  readonly isAct?: true
  /** Nobody has signed in. */
  readonly isSignedOut?: true
  /** Status of its calls where they fail. */
  readonly status?: number
}

/** What it has to show: much, nothing, no answer yet, a failure. */
export type PageState = 'full' | 'empty' | 'loading' | 'failing'

/** Of something that an empty product does not have. */
const OF_SAMPLE: readonly PageState[] = ['full', 'loading', 'failing']
/** What has no calls of its own. */
const FULL: readonly PageState[] = ['full']

const MANAGE = [
  ...['tree', 'listeners', 'templates', 'tags', 'collection', 'accounts', 'tasks', 'monitors'],
  ...['alerts', 'reports', 'users', 'groups', 'policies', 'rights', 'privacy', 'own', 'health'],
  ...['storage', 'silent', 'rejected', 'audit', 'evidence', 'settings', 'license'],
]

const search = (parameters: Record<string, string>) => `/logeye/?${new URLSearchParams(parameters)}`
const DAY = { interval: 'last24Hours' }
const sample = (name: string, path: string) => ({ name, path, states: OF_SAMPLE })

export const CONSOLE_PAGES: readonly ListedPage[] = [
  { name: 'search', path: search(DAY) },
  {
    ...{ ...sample('search-open', search({ ...DAY, query: 'timeout' })), keys: ['j', 'Enter'] },
    ...{ from: '.event-message mark', shows: '.detail-list', states: FULL },
  },
  {
    ...{ ...sample('search-context', search({ ...DAY, query: 'timeout' })), keys: ['j', 'c'] },
    ...{ from: '.event-message mark', shows: '.context-line', states: FULL },
  },
  sample('search-columns', `${search(DAY)}&column=service&column=city&wrap=1&compare=1`),
  sample('search-shapes', search({ ...DAY, tab: 'shapes' })),
  sample('search-table', search({ ...DAY, query: '* | count | group by service, level' })),
  sample('search-chart', search({ ...DAY, query: '* | count | group by service', tab: 'chart' })),
  { ...sample('search-error', search({ ...DAY, query: '(timeout' })), states: FULL },
  { ...sample('search-warning', search({ ...DAY, query: "level = 'ERROR'" })), states: FULL },
  {
    name: 'search-empty',
    path: search({ query: 'timeout upstreem', interval: 'last15Minutes' }),
    states: FULL,
  },
  { name: 'search-time', path: search(DAY), keys: ['t'], states: FULL },
  { name: 'search-keys', path: search(DAY), keys: ['?'], states: FULL },
  { name: 'search-save', path: search({ ...DAY, query: 'timeout' }), keys: ['s'], states: FULL },
  { name: 'search-saved', path: search(DAY), keys: ['o'], states: FULL },
  { name: 'search-live', path: '/logeye/?live=1', states: OF_SAMPLE },
  { name: 'parts', path: '/logeye/parts', states: FULL },
  { name: 'unknown', path: '/logeye/none', states: FULL },
  { name: 'dashboards', path: '/logeye/dashboards' },
  sample('dashboard', '/logeye/dashboards/Shop/Orders'),
  sample('dashboard-web', '/logeye/dashboards/Web%20access/Overview'),
  sample('dashboard-edit', '/logeye/dashboards/Shop/Orders?edit=1'),
  ...MANAGE.map((name) => ({ name: `manage-${name}`, path: `/logeye/manage/${name}` })),
  sample('manage-listener-new', '/logeye/manage/listeners?new=1'),
  sample('manage-template-new', '/logeye/manage/templates?new=1'),
  sample('manage-monitor-new', '/logeye/manage/monitors?new=1'),
  { name: 'manage-user', path: '/logeye/manage/users?item=anna' },
]

const item = (name: string, section: string, states = OF_SAMPLE) => ({
  ...{ name: `manage-${name}`, path: `/logeye/manage/${section}`, states },
})
const MONITOR = 'monitors?item=Payments%20fail'
const EACH: readonly PageState[] = ['full', 'empty', 'loading', 'failing']

/** Of what `fillManage` makes. */
export const MANAGED_PAGES: readonly ListedPage[] = [
  item('monitor', MONITOR),
  item('monitor-history', `${MONITOR}&tab=history`),
  {
    ...item('monitor-trial', 'monitors?item=Many%20errors&tab=trial'),
    click: '.part button',
    isAct: true,
    shows: '.trial-summary',
  },
  item('monitor-count', 'monitors?item=Many%20errors', FULL),
  item('monitor-column', 'monitors?item=Busy%20services', FULL),
  item('monitor-change', 'monitors?item=Fewer%20orders', FULL),
  item('monitor-silence', 'monitors?item=Payments%20silent', FULL),
  item('monitor-unusual', 'monitors?item=Payments%20unusual', FULL),
  item('monitor-shape', 'monitors?item=New%20messages', FULL),
  item('monitor-value', 'monitors?item=New%20cities', FULL),
  item('monitor-muted', 'monitors?item=Nothing%20odd', FULL),
  item('maintenance', 'monitors?type=maintenanceWindow', EACH),
  item('maintenance-new', 'monitors?type=maintenanceWindow&new=1', FULL),
  item('maintenance-weekly', 'monitors?type=maintenanceWindow&item=Sunday%20night'),
  item('maintenance-once', 'monitors?type=maintenanceWindow&item=Move%20of%20the%20bank', FULL),
  item('alerts-all', 'alerts?state=all', FULL),
  item('alerts-none', 'alerts?find=none', FULL),
  { ...item('alert', 'alerts'), click: 'tbody a' },
  item('report', 'reports?item=Orders%20each%20Monday'),
  item('report-new', 'reports?new=1', FULL),
  item('report-history', 'reports?item=Orders%20each%20Monday&tab=history'),
  item('task-runs', 'tasks?item=Local%20files&tab=runs'),
  item('task-runs-gone', 'tasks?item=Gone&tab=runs', FULL),
  item('listener', 'listeners?item=Payments'),
  item('listener-masks', 'listeners?item=Payments&tab=masks'),
  item('listener-shaping', 'listeners?item=Shop%20edge&tab=shaping'),
  item('policy-masks', 'policies?item=Support&tab=masks'),
  item('storage-archives', 'storage?tab=archives', EACH),
  item('storage-holds', 'storage?tab=holds', EACH),
  item('storage-deletions', 'storage?tab=deletions', EACH),
  {
    ...{ ...item('evidence-verified', 'evidence', EACH), click: 'form .button-main', isAct: true },
    shows: '.evidence-outcome, .field-error',
  },
  item('evidence-export', 'evidence?tab=export', FULL),
  { ...item('no-right', 'storage', ['failing']), status: 403 },
  { ...item('session-ended', 'users', ['failing']), status: 401 },
  { name: 'sign-in', path: '/logeye/', isSignedOut: true, states: OF_SAMPLE },
]

export const WORKSPACE_PAGES: readonly ListedPage[] = [
  { name: 'overview', path: '/portal/' },
  ...['usage', 'deployments', 'credits', 'offers', 'catalog', 'api-keys', 'webhooks', 'people']
    .concat(['audit', 'account'])
    .map((name) => ({ name, path: `/portal/${name}` })),
  { ...sample('offer', '/portal/offers'), click: 'tbody a' },
  { ...sample('deployment', '/portal/deployments'), click: 'tbody a' },
  { ...sample('webhook', '/portal/webhooks'), click: 'tbody a' },
  { ...sample('session-ended', '/portal/people'), status: 401, states: ['failing'] },
  { name: 'sign-in', path: '/portal/', isSignedOut: true, states: OF_SAMPLE },
  { name: 'password', path: '/portal/password', isSignedOut: true, states: FULL },
]

/** Of the vendor's staff. */
export const VENDOR_PAGES: readonly ListedPage[] = [
  ...['customers', 'licenses', 'price-books', 'deployments', 'offers', 'catalog', 'people', 'audit']
    .concat(['account'])
    .map((name) => ({ name, path: `/portal/${name}` })),
  { name: 'offer-choice', path: '/portal/offers/new' },
  { ...sample('offer-new', '/portal/offers/new'), click: 'tbody a' },
  {
    ...{
      ...sample('offer-edit', '/portal/offers'),
      click: 'tr:has-text("Renewal of the clinics") .name a',
    },
    ...{ next: '.button:text-is("Edit")', shows: '.totals', states: FULL },
  },
  { ...sample('organization', '/portal/customers'), click: 'tbody a' },
  { ...sample('price-book', '/portal/price-books'), click: 'tbody a' },
  { ...sample('offer', '/portal/offers'), click: 'tbody a' },
  { ...sample('deployment', '/portal/deployments'), click: 'tbody a' },
]
