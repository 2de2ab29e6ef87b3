// What is there when changes of where events and alerts go are tried: the folder Vault, which most
// may not view, and all that is about its events.
import type { SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { CLERK, type Given, QUERY_TASK, S3, SEER, URL_OF } from './sight-rows.ts'

/** The events are in the store and in an archive. */
export const ARCHIVED = { path: ['Vault', 'gold'], events: 1, bytes: 9, fromMs: 0, toMs: 1 }
export const ARCHIVE = {
  ...{ number: 7, entry: 'archive-7-0a1b2c3d4e5f', policy_id: 2, policy: 'vaulted', day: 20_000 },
  ...{ account: '', directory: '/mnt/days', state: 'done', is_foreign: 0, events: 1, bytes: 9 },
  ...{ places: '', checksum: '', asked_by: 'admin', asked_ms: 0, written_ms: 1, dropped_ms: null },
  ...{ check_asked_ms: null, verified_ms: null, tried_ms: null, fault: '', last_deletion: null },
}

const LOGS: readonly Given[] = [
  { name: 'gold', collectionPolicy: 'vaulted' },
  { name: 'silver', collectionPolicy: 'waiting' },
  { name: 'by-ssh', account: 'of-log', filePaths: '/var/log/a' },
  { name: 'by-copy', account: 'of-copy', filePaths: 'Web->a' },
  { name: 'by-share', account: 'of-share', unc: '\\\\files\\logs\\a.log' },
]

const LISTENERS: readonly Given[] = [
  {
    name: 'vaulted',
    parentFolder: 'Vault',
    collectionPolicy: 'of-listener',
    maskRules: 'cut card',
  },
  { name: 'asleep', parentFolder: 'Vault', enabled: 'false' },
  { name: 'spare', parentFolder: 'Vault' },
  { name: 'opened', parentFolder: 'Open' },
]

const HELD: readonly Given[] = [{ policy: 'vaulted' }, { log: 'Vault->by-ssh' }, { folder: 'Half' }]

const HALF = 'reader,seer,masked'

export const SET_UP: readonly (readonly [SdkCommandName, Given])[] = [
  ['securityPolicies', { action: 'add', policyName: 'clerk', operations: CLERK }],
  ['securityPolicies', { action: 'add', policyName: 'seer', operations: SEER }],
  ['securityPolicies', { action: 'add', policyName: 'masked', operations: SEER, masks: 'email' }],
  ...(['clerk', 'reader', 'seer', 'masked'] as const).map(
    (userName) =>
      [
        'securityUsers',
        { action: 'edit', userName, policy: userName === 'reader' ? 'clerk' : userName },
      ] as const,
  ),
  [
    'setPermissions',
    {
      ...{ path: 'Vault', type: 'folder', viewGroups: '', viewUsers: 'reader,seer,masked' },
      ...{ editGroups: '', editUsers: 'seer,masked' },
    },
  ],
  ['addFolder', { name: 'spare', parentFolder: 'Vault' }],
  ['addAlertTarget', { name: 'of-monitor', type: 'slack', targetURL: URL_OF('first') }],
  ['addAlertTarget', { name: 'of-policy', type: 'slack', targetURL: URL_OF('first') }],
  ['addAlertTarget', { name: 'of-report', type: 'mail', to: 'first@example.com' }],
  ['addExternalAccount', { name: 'of-archive', ...S3, bucket: 'first' }],
  ['addSSHAccount', { name: 'of-log', host: 'first', userName: 'a', userPassword: 'p' }],
  [
    'addDatabaseAccount',
    { name: 'of-task', host: 'first', database: 'd', userName: 'a', userPassword: 'p' },
  ],
  [
    'addDatabaseAccount',
    { name: 'open-db', host: 'first', database: 'd', userName: 'a', userPassword: 'p' },
  ],
  [
    'addRemoteProductAccount',
    {
      ...{ name: 'of-copy', remoteURL: 'https://first.example/logeye', userName: 'a' },
      ...{ userPassword: 'p' },
    },
  ],
  [
    'addWindowsShareAccount',
    {
      ...{ name: 'of-share', share: '\\\\files\\logs', mountPath: '/mnt/first', userName: 'a' },
      ...{ userPassword: 'p' },
    },
  ],
  [
    'addCollectionPolicy',
    {
      ...{ name: 'vaulted', archiveAccount: 'of-archive', archiveDirectory: 'days' },
      ...{ storageDays: '900', forwardTo: 'account:of-policy' },
    },
  ],
  ['addCollectionPolicy', { name: 'of-listener' }],
  ['addCollectionPolicy', { name: 'unused' }],
  ['addCollectionPolicy', { name: 'elsewhere' }],
  // Its account is not there yet.
  ['addCollectionPolicy', { name: 'waiting', forwardTo: 'account:ghost' }],
  ...LOGS.map((given) => ['addLog', { parentFolder: 'Vault', ...given }] as const),
  ...LISTENERS.map((given) => ['addListener', given] as const),
  [
    'addTemplate',
    { name: 'vaulted', logTypes: 'vaultish', patterns: '{text:Message}', maskRules: 'cut card' },
  ],
  ['addScanTask', { name: 'vaulted scan', directory: '/var/log', parentFolder: 'Vault' }],
  [
    'addQueryTask',
    {
      name: 'vaulted query',
      ...QUERY_TASK,
      account: 'of-task',
      log: 'Vault->gold',
      markColumn: 'id',
    },
  ],
  ['addMonitor', { name: 'alarm', query: 'error', actions: 'of-monitor' }],
  ['addReport', { name: 'nightly', search: 'errors', targets: 'of-report' }],
  // A folder of which the clerk may view one log.
  ['addFolder', { name: 'Half' }],
  ['addLog', { name: 'seen', parentFolder: 'Half' }],
  ['addLog', { name: 'unseen', parentFolder: 'Half' }],
  ['setPermissions', { path: 'Half', type: 'folder', viewGroups: '', viewUsers: HALF }],
  ['setPermissions', { path: 'Half->seen', type: 'log', viewUsers: `clerk,${HALF}` }],
  ...HELD.map((given) => ['addHold', { ...given, reason: 'case 1' }] as const),
  ...['ROOT', 'Half', 'Vault->typed'].map((path) => ['addExpectedSilence', { path }] as const),
]
