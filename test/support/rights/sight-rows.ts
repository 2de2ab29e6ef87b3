// Changes of where events and alerts go, and who may make them, in the world of sight-world.ts: for
// sight-matrix.test.ts.

import type { EventPath } from '../../../schemas/rights/sees.ts'
import type { SdkCommandName } from '../../../schemas/sdk/commands.ts'

export type Given = Readonly<Record<string, string>>

/**
 * clerk: all of data, settings and operating; sees nothing of Vault.
 * reader: the same, and sees Vault without editing it.
 * seer: the same, sees and edits all, and reads the audit log and all alerts.
 * masked: as seer, but a mask hides values.
 * narrow: a token of the administrator for what the clerk may do.
 */
export const CALLERS = ['clerk', 'reader', 'masked', 'seer', 'narrow', 'admin'] as const
export type Caller = (typeof CALLERS)[number]

const EDITORS: readonly Caller[] = ['seer', 'narrow', 'admin']
const VIEWERS: readonly Caller[] = ['reader', ...EDITORS]
const ADMIN: readonly Caller[] = ['admin']
const ALL: readonly Caller[] = CALLERS

export type Row = {
  readonly path: EventPath | 'act'
  readonly command: SdkCommandName
  /** `mine`: another text for each call. */
  readonly given: (mine: string) => Given
  /** Who may do it; all others are refused. */
  readonly may: readonly Caller[]
  /** The document of it, for files; absent: it is tried by the command alone. */
  readonly type?: string
  /** It is there once: the first who may do it does it. */
  readonly isOnce?: true
}

export const CLERK = 'data,system.operate,system.settings'
export const SEER = `${CLERK},system.audit,system.alerts`

export const URL_OF = (mine: string) => `https://${mine}.example/hook`
export const S3 = { type: 's3', region: 'eu-central-1', secretKey: 'p', accessKey: 'AKIA' }
export const QUERY_TASK = { account: 'open-db', query: 'SELECT id FROM a WHERE id > :mark' }
export const UPDATE = { update: 'true' }
export const ROWS: readonly Row[] = [
  // Listener accounts.
  ...(
    [
      [{ maskRules: '' }],
      [{ dropFilter: 'level = debug' }],
      [{ splitColumns: 'secret' }],
      [{ enabled: 'false' }],
      [{ newToken: 'true' }],
      [{ jsonParsingLevel: '1' }],
      [{ logNamePrefix: 'thief' }],
    ] as const
  ).map(
    ([more]): Row => ({
      path: 'listener',
      command: 'addListener',
      // The part alone: another change of the account would be refused for itself.
      given: () => ({ name: 'vaulted', ...more, ...UPDATE }),
      may: EDITORS,
    }),
  ),
  {
    path: 'listener',
    command: 'addListener',
    given: () => ({ name: 'asleep', parentFolder: 'Open', ...UPDATE }),
    may: EDITORS,
    isOnce: true,
  },
  {
    path: 'listener',
    command: 'addListener',
    given: (mine) => ({ name: 'opened', parentFolder: 'Vault', logNamePrefix: mine, ...UPDATE }),
    may: EDITORS,
  },
  {
    path: 'listener',
    command: 'addListener',
    given: (mine) => ({ name: `new-${mine}`, parentFolder: 'Vault->deep' }),
    may: EDITORS,
    type: 'listener',
  },
  {
    path: 'listener',
    command: 'addListener',
    given: (mine) => ({ name: `fine-${mine}`, parentFolder: 'Open' }),
    may: ['clerk', ...VIEWERS],
    type: 'listener',
  },
  {
    path: 'listener',
    command: 'addListener',
    given: () => ({ name: 'vaulted', description: 'a word', ...UPDATE }),
    may: ALL,
  },
  {
    // Into a policy that sends its events elsewhere.
    path: 'listener',
    command: 'addListener',
    given: () => ({ name: 'spare', collectionPolicy: 'elsewhere', ...UPDATE }),
    may: EDITORS,
  },
  {
    path: 'listener',
    command: 'enableAccount',
    given: () => ({ name: 'vaulted', enabled: 'true' }),
    may: EDITORS,
  },
  {
    path: 'listener',
    command: 'removeAccount',
    given: () => ({ name: 'spare' }),
    may: EDITORS,
    isOnce: true,
  },
  // Accounts of the address book.
  ...(['of-monitor', 'of-policy'] as const).map(
    (name): Row => ({
      path: 'account',
      command: 'addAlertTarget',
      given: (mine) => ({ name, type: 'slack', targetURL: URL_OF(mine), ...UPDATE }),
      // Whoever reads all alerts, or is the owner of the monitor.
      may: name === 'of-policy' ? VIEWERS : ['seer', 'narrow', 'admin'],
    }),
  ),
  {
    path: 'account',
    command: 'addAlertTarget',
    given: (mine) => ({ name: 'of-report', type: 'mail', to: `${mine}@example.com`, ...UPDATE }),
    // A report is its owner's: the token is the administrator's, too.
    may: ['narrow', 'admin'],
  },
  {
    path: 'account',
    command: 'addAlertTarget',
    given: (mine) => ({ name: `new-${mine}`, type: 'mail', to: 'a@example.com' }),
    may: ALL,
  },
  {
    // A policy of hidden logs names it already.
    path: 'account',
    command: 'addAlertTarget',
    given: (mine) => ({ name: 'ghost', type: 'slack', targetURL: URL_OF(mine) }),
    may: VIEWERS,
    type: 'alertTarget',
    isOnce: true,
  },
  {
    path: 'account',
    command: 'addExternalAccount',
    given: (mine) => ({ name: 'of-archive', ...S3, bucket: mine, ...UPDATE }),
    may: VIEWERS,
  },
  {
    path: 'account',
    command: 'addSSHAccount',
    given: (mine) => ({ name: 'of-log', host: mine, userName: 'a', userPassword: 'p', ...UPDATE }),
    may: EDITORS,
  },
  {
    path: 'account',
    command: 'addDatabaseAccount',
    given: (mine) => ({
      ...{ name: 'of-task', host: mine, database: 'd', userName: 'a', userPassword: 'p' },
      ...UPDATE,
    }),
    may: EDITORS,
  },
  {
    path: 'account',
    command: 'addRemoteProductAccount',
    given: (mine) => ({
      ...{ name: 'of-copy', remoteURL: `https://${mine}.example/logeye`, userName: 'a' },
      ...{ userPassword: 'p', ...UPDATE },
    }),
    may: EDITORS,
  },
  {
    path: 'account',
    command: 'addWindowsShareAccount',
    given: (mine) => ({
      ...{ name: 'of-share', share: '\\\\files\\logs', mountPath: `/mnt/${mine}`, userName: 'a' },
      ...{ userPassword: 'p', ...UPDATE },
    }),
    may: EDITORS,
  },
  {
    path: 'account',
    command: 'enableAccount',
    given: () => ({ name: 'of-policy', enabled: 'false' }),
    may: VIEWERS,
  },
  // Collection policies.
  ...(
    [
      { forwardTo: 'https://thief.example/in' },
      { storageDays: '1' },
      { archiveDirectory: 'thief' },
      { archiveAccount: '', archiveDirectory: '' },
      { warningAddress: 'thief@example.com' },
    ] as const
  ).map(
    (more): Row => ({
      path: 'collectionPolicy',
      command: 'addCollectionPolicy',
      given: () => ({ name: 'vaulted', ...more, ...UPDATE }),
      may: VIEWERS,
      type: 'collectionPolicy',
    }),
  ),
  {
    path: 'collectionPolicy',
    command: 'addCollectionPolicy',
    given: (mine) => ({ name: 'of-listener', storageDirectory: `/mnt/${mine}`, ...UPDATE }),
    may: VIEWERS,
    type: 'collectionPolicy',
  },
  {
    // It has all logs that nobody gave another one, those of the product too.
    path: 'collectionPolicy',
    command: 'addCollectionPolicy',
    given: (mine) => ({ name: 'Default', storageDirectory: `/mnt/${mine}`, ...UPDATE }),
    may: ADMIN,
  },
  {
    path: 'collectionPolicy',
    command: 'addCollectionPolicy',
    given: (mine) => ({ name: 'unused', forwardTo: URL_OF(mine), ...UPDATE }),
    may: ALL,
    type: 'collectionPolicy',
  },
  // Folders and logs.
  {
    path: 'log',
    command: 'addLog',
    given: (mine) => ({
      ...{ name: 'gold', parentFolder: 'Vault', filePaths: `/var/log/${mine}`, ...UPDATE },
    }),
    may: EDITORS,
  },
  {
    path: 'log',
    command: 'addLog',
    given: (mine) => ({ name: mine, parentFolder: 'Open', account: 'open-db' }),
    may: ['clerk', ...VIEWERS],
  },
  {
    path: 'folder',
    command: 'addFolder',
    given: (mine) => ({ name: mine, parentFolder: 'Vault' }),
    may: EDITORS,
    type: 'folder',
  },
  {
    path: 'folder',
    command: 'removeMember',
    given: () => ({ path: 'Vault->spare', type: 'folder' }),
    may: EDITORS,
    isOnce: true,
  },
  // Tasks.
  {
    path: 'task',
    command: 'addScanTask',
    given: (mine) => ({ name: `s-${mine}`, directory: '/var/log', parentFolder: 'Vault' }),
    may: EDITORS,
    type: 'scanTask',
  },
  {
    path: 'task',
    command: 'addQueryTask',
    given: (mine) => ({ name: `q-${mine}`, ...QUERY_TASK, log: 'Vault->gold', markColumn: 'id' }),
    may: EDITORS,
  },
  // Templates.
  {
    path: 'template',
    command: 'addTemplate',
    given: (mine) => ({ name: 'vaulted', patterns: `{text:${mine}}`, maskRules: '', ...UPDATE }),
    may: VIEWERS,
    type: 'template',
  },
  {
    path: 'template',
    command: 'addTemplate',
    given: (mine) => ({ name: `t-${mine}`, logTypes: 'vaultish', patterns: '{text:Message}' }),
    may: VIEWERS,
    type: 'template',
  },
  {
    path: 'template',
    command: 'addTemplate',
    given: (mine) => ({ name: `u-${mine}`, logTypes: 'unheard', patterns: '{text:Message}' }),
    may: ALL,
    type: 'template',
  },
  // Settings.
  {
    path: 'setting',
    command: 'settings',
    given: (mine) => ({ set: `system.evidenceTargets=${mine}` }),
    may: ['seer', 'admin'],
  },
  {
    path: 'setting',
    command: 'settings',
    given: (mine) => ({ portalUrl: `https://${mine}.example` }),
    may: ADMIN,
  },
  // What acts on events itself.
  ...(
    [
      ['replayRejected', { dryRun: 'true' }, ADMIN],
      [
        'adoptArchive',
        { directory: '/mnt/cold', entry: '2026-03-01/archive-7-0a1b2c3d4e5f' },
        ADMIN,
      ],
      ['removeArchive', { archive: '7' }, VIEWERS],
      ['deleteData', { log: 'Vault->typed' }, EDITORS],
      ['addHold', { policy: 'vaulted', reason: 'case 7' }, VIEWERS],
      ['addHold', { log: 'Vault->by-ssh', reason: 'case 7' }, VIEWERS],
      ['addHold', { folder: 'Half', reason: 'case 7' }, VIEWERS],
      ['addHold', { folder: 'ROOT', reason: 'case 7' }, ['narrow', 'admin']],
      ['removeHold', { number: '1' }, VIEWERS],
      ['removeHold', { number: '2' }, VIEWERS],
      ['removeHold', { number: '3' }, VIEWERS],
      ['addExpectedSilence', { path: 'ROOT' }, ['narrow', 'admin']],
      ['addExpectedSilence', { path: 'Half' }, VIEWERS],
      ['addExpectedSilence', { path: 'Vault->typed' }, VIEWERS],
      ['removeExpectedSilence', { id: '1' }, ['narrow', 'admin']],
      ['removeExpectedSilence', { id: '2' }, VIEWERS],
      ['removeExpectedSilence', { id: '3' }, VIEWERS],
      ['executeTask', { name: 'vaulted scan' }, EDITORS],
      ['executeScanTask', { name: 'vaulted scan' }, EDITORS],
    ] as const
  ).map(
    ([command, given, may]): Row => ({
      ...{ path: 'act', command, given: () => given, may, isOnce: true },
    }),
  ),
]

/** Tried in tests of their own. */
export const ELSEWHERE: Readonly<Partial<Record<SdkCommandName, string>>> = {
  addMonitor: 'only its owner knows it as his: monitor-rights.test.ts',
  addReport: 'only its owner knows of it: reports.test.ts',
  addSyncLogTask: 'copies files, not events',
}
