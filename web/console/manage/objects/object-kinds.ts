// How the pages show each type of objects: by which command one is made, changed and removed, and
// which of its arguments stand in the list. The server's own table is query/sdk/objects; a test
// holds the two together.
import type { ObjectType } from '../../../../schemas/object-types.ts'
import type { SdkCommandName } from '../../../../schemas/sdk/commands.ts'

type CommandArguments = Readonly<Record<string, string>>

/** The others have pages of their own. */
export type ShownType = Exclude<ObjectType, 'setting' | 'permission' | 'app' | 'dashboard'>

export type ShownKind = {
  readonly type: ShownType
  readonly command: SdkCommandName
  /** Added to make one. */
  readonly make: CommandArguments
  /** Added to change one. */
  readonly change: CommandArguments
  /** Names it; a form for a new one asks for them first. */
  readonly named: readonly string[]
  /** What decides most: a form asks for it next, before what has a good default. */
  readonly first: readonly string[]
  /** Say what to do; no field of a form. */
  readonly notOfIt: readonly string[]
  /** Of one that exists other tabs of its page have these. */
  readonly onTabs: readonly string[]
  /** Beside its name in the list. */
  readonly columns: readonly string[]
  readonly remove: (name: string) => { command: SdkCommandName; arguments: CommandArguments }
  /** Has an argument `enabled`. */
  readonly canBeDisabled: boolean
}

const UPDATE = { update: 'true' }
const NAME = ['name']

function kind(
  type: ShownType,
  command: SdkCommandName,
  shown: Partial<Omit<ShownKind, 'type' | 'command'>> & Pick<ShownKind, 'columns'>,
): ShownKind {
  return {
    make: {},
    change: UPDATE,
    named: NAME,
    first: [],
    notOfIt: [],
    onTabs: [],
    canBeDisabled: false,
    remove: (name) => ({ command: 'removeObject', arguments: { type, name } }),
    ...{ type, command, ...shown },
  }
}

const byAction = (command: SdkCommandName, named: string) => ({
  make: { action: 'add' },
  change: { action: 'edit' },
  named: [named],
  remove: (name: string) => ({ command, arguments: { action: 'remove', [named]: name } }),
})

/** What a listener account stores and takes. */
export const SHAPING_ARGUMENTS = [
  'dropFilter',
  'sampledPercent',
  'allowedAddresses',
  'maxEventsPerSecond',
  'maxBytesPerSecond',
  'maxBytesPerDay',
] as const

const account = (name: string) => ({ command: 'removeAccount' as const, arguments: { name } })

export const SHOWN_KINDS: { readonly [Type in ShownType]: ShownKind } = {
  listener: kind('listener', 'addListener', {
    columns: ['parentFolder', 'splitBySource', 'appTags', 'enabled'],
    remove: account,
    canBeDisabled: true,
    notOfIt: ['newToken', 'oldTokenHours'],
    onTabs: ['maskRules', ...SHAPING_ARGUMENTS],
  }),
  template: kind('template', 'addTemplate', {
    columns: ['logTypes', 'description', 'enabled'],
    canBeDisabled: true,
  }),
  appTag: kind('appTag', 'addAppTag', { columns: ['sourceQuery', 'folders', 'logs', 'accounts'] }),
  collectionPolicy: kind('collectionPolicy', 'addCollectionPolicy', {
    columns: ['storageDays', 'storageMaxBytes', 'description'],
  }),
  sshAccount: kind('sshAccount', 'addSSHAccount', {
    columns: ['host', 'port', 'userName', 'enabled'],
    remove: account,
    canBeDisabled: true,
  }),
  remoteProductAccount: kind('remoteProductAccount', 'addRemoteProductAccount', {
    columns: ['remoteURL', 'userName', 'enabled'],
    remove: account,
    canBeDisabled: true,
  }),
  externalAccount: kind('externalAccount', 'addExternalAccount', {
    columns: ['bucket', 'endpoint', 'enabled'],
    remove: account,
    canBeDisabled: true,
  }),
  windowsShareAccount: kind('windowsShareAccount', 'addWindowsShareAccount', {
    columns: ['share', 'enabled'],
    remove: account,
    canBeDisabled: true,
  }),
  databaseAccount: kind('databaseAccount', 'addDatabaseAccount', {
    columns: ['host', 'database', 'enabled'],
    remove: account,
    canBeDisabled: true,
  }),
  alertTarget: kind('alertTarget', 'addAlertTarget', {
    columns: ['type', 'to', 'enabled'],
    remove: account,
    canBeDisabled: true,
  }),
  monitor: kind('monitor', 'addMonitor', {
    first: ['query', 'rule', 'window', 'schedule', 'groupBy', 'severity', 'actions'],
    columns: ['severity', 'query', 'rule', 'schedule', 'enabled'],
    canBeDisabled: true,
  }),
  maintenanceWindow: kind('maintenanceWindow', 'addMaintenanceWindow', {
    columns: ['enabled'],
    canBeDisabled: true,
  }),
  report: kind('report', 'addReport', {
    first: ['dashboard', 'search', 'schedule', 'targets'],
    columns: ['schedule', 'targets', 'enabled'],
    canBeDisabled: true,
  }),
  folder: kind('folder', 'addFolder', {
    columns: ['description'],
    named: ['name', 'parentFolder'],
    remove: (path) => ({ command: 'removeMember', arguments: { path, type: 'folder' } }),
  }),
  log: kind('log', 'addLog', {
    columns: ['collectionPolicy', 'appTags', 'filePaths'],
    named: ['name', 'parentFolder'],
    remove: (path) => ({ command: 'removeMember', arguments: { path, type: 'log' } }),
  }),
  scanTask: kind('scanTask', 'addScanTask', {
    columns: ['directory', 'cron', 'enabled'],
    canBeDisabled: true,
  }),
  syncLogTask: kind('syncLogTask', 'addSyncLogTask', {
    columns: ['cron', 'description', 'enabled'],
    canBeDisabled: true,
  }),
  queryTask: kind('queryTask', 'addQueryTask', {
    columns: ['log', 'account', 'cron', 'enabled'],
    canBeDisabled: true,
  }),
  user: kind('user', 'securityUsers', {
    columns: ['displayName', 'groups', 'policy', 'enabled'],
    ...byAction('securityUsers', 'userName'),
    canBeDisabled: true,
  }),
  group: kind('group', 'securityGroups', {
    columns: ['description', 'policy', 'parents'],
    ...byAction('securityGroups', 'groupName'),
    notOfIt: ['addMembers', 'removeMembers'],
  }),
  policy: kind('policy', 'securityPolicies', {
    columns: ['description', 'operations'],
    onTabs: ['masks'],
    ...byAction('securityPolicies', 'policyName'),
  }),
}
