// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the form of a variable
// A sample of each type of object: every argument that a document of it holds, none at its default.
// A new type does not compile without one.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ObjectType } from '../../../schemas/object-types.ts'
import { DASHBOARD_SAMPLES } from './dashboard-samples.ts'
import { MONITOR_SAMPLES } from './monitor-samples.ts'
import { TASK_SAMPLES } from './task-samples.ts'

type Given = Readonly<Record<string, string>>
type Commands = readonly (readonly [command: string, given: Given])[]

export type ObjectSample = {
  /** What must be there first. */
  readonly before?: Commands
  /** Given to the command beside what the kind adds to make one. */
  readonly given: Given
  /** Needed to make one, and in no document. */
  readonly secrets?: Given
  /** Arguments of the command that are no part of the object: what to do, and what is refused. */
  readonly notOfIt: readonly string[]
}

const LOCKED_KEY = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: {
    ...{ type: 'pkcs1', format: 'pem' },
    ...{ cipher: 'aes-256-cbc', passphrase: 'open sesame' },
  },
}).privateKey

const WEB = ['addFolder', { name: 'Web' }] as const
const HOSTILE = 'ümlaut 🦊 "quoted" \'it\' # not: a, comment'

export const OBJECT_SAMPLES: Readonly<Record<ObjectType, readonly ObjectSample[]>> = {
  folder: [
    {
      before: [WEB],
      given: { name: 'Edge, [1]', parentFolder: 'Web', description: HOSTILE },
      notOfIt: ['update'],
    },
    { given: { name: 'top', parentFolder: 'ROOT', description: '' }, notOfIt: ['update'] },
  ],
  collectionPolicy: [
    {
      given: {
        name: 'Shop, 1',
        description: HOSTILE,
        storageDays: '30',
        storageMaxBytes: '1048576',
        storageDirectory: '/mnt/hot',
        storageDirectoryDays: '7',
        warningAddress: 'ops@example.com',
        archiveDirectory: '/mnt/cold',
        archiveAccount: '',
        archiveDays: '400',
        archiveChecksum: 'sha256',
        forwardTo: 'https://collector/logs',
        schedule: '0 1 * * 1-5',
      },
      notOfIt: ['update'],
    },
  ],
  appTag: [
    {
      before: [
        WEB,
        ['addLog', { name: 'a, b', parentFolder: 'Web' }],
        ['addListener', { name: 'edge' }],
        ['addListener', { name: 'shop' }],
      ],
      given: {
        name: 'Storefront',
        description: HOSTILE,
        sourceQuery: 'folder.Web, log.access*, apptag.Other',
        folders: 'Web',
        logs: '["Web->a, b"]',
        accounts: 'edge,shop',
        parameters: '{"owner":"a, b","tier":"1"}',
        timeZone: 'Asia/Tokyo',
      },
      notOfIt: ['update'],
    },
  ],
  log: [
    {
      before: [WEB],
      given: {
        name: 'access',
        parentFolder: 'Web',
        description: HOSTILE,
        filePaths: '/var/log/a.log@#@#/var/log/b, c.log',
        account: '',
        unc: '\\\\host\\System',
        pattern: '{ip:Remote IP} {text:Message}@#@#{text:Message}',
        template: 'Apache',
        collectionPolicy: 'Default',
        appTags: '["Shop","A,b"]',
        charSet: 'ISO-8859-1',
        timeZone: 'Europe/Berlin',
        dataFilterQuery: 'error or "a b"',
      },
      notOfIt: ['update'],
    },
  ],
  ...TASK_SAMPLES,
  sshAccount: [
    {
      given: {
        name: 'edge, ssh',
        description: HOSTILE,
        enabled: 'false',
        host: 'edge.example',
        port: '2222',
        userName: 'logs',
        hostKey: 'ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      },
      secrets: { userPassword: 'p', privateKeyFile: LOCKED_KEY, passphrase: 'open sesame' },
      notOfIt: ['update', 'verify'],
    },
  ],
  remoteProductAccount: [
    {
      given: {
        name: 'berlin',
        description: HOSTILE,
        enabled: 'false',
        remoteURL: 'https://berlin.example:30443/logeye',
        userName: 'reader',
        certificateFile: readFileSync('test/fixtures/tls/certificate.pem', 'utf8'),
      },
      secrets: { userPassword: 'p' },
      notOfIt: ['update', 'verify'],
    },
  ],
  databaseAccount: [
    {
      given: {
        name: 'shop db',
        description: HOSTILE,
        enabled: 'false',
        host: 'db.example',
        port: '6432',
        database: 'shop "eu"',
        userName: 'reader',
        tls: 'true',
        certificateFile: readFileSync('test/fixtures/tls/certificate.pem', 'utf8'),
      },
      secrets: { userPassword: 'p' },
      notOfIt: ['update', 'verify'],
    },
  ],
  externalAccount: [
    {
      given: {
        name: 'archive',
        type: 's3',
        description: HOSTILE,
        enabled: 'false',
        bucket: 'logs.example',
        region: 'eu-central-1',
        endpoint: 'https://store.example:9000',
        accessKey: 'AKIAEXAMPLE',
      },
      secrets: { secretKey: 'p' },
      notOfIt: ['update', 'verify'],
    },
  ],
  windowsShareAccount: [
    {
      given: {
        name: 'share',
        description: HOSTILE,
        enabled: 'false',
        share: '\\\\files\\logs',
        mountPath: '/mnt/logs',
        domain: 'OFFICE',
        userName: 'reader',
      },
      secrets: { userPassword: 'p' },
      notOfIt: ['update', 'verify'],
    },
  ],
  ...MONITOR_SAMPLES,
  ...DASHBOARD_SAMPLES,
  listener: [
    {
      given: {
        name: 'web, edge',
        description: HOSTILE,
        enabled: 'false',
        parentFolder: 'Web->Edge',
        collectionPolicy: 'Default',
        appTags: '["Shop","A,b"]',
        logNamePrefix: 'edge-',
        splitBySource: 'mask',
        ipMask: '16',
        ipMaskV6: '48',
        messageKeys: 'text,log',
        splitColumns: 'env->service->host*',
        timeKey: 'when',
        timeZone: 'Asia/Tokyo',
        jsonParsingLevel: '5',
        template: 'Apache access',
        pattern: '{ip:Remote IP} {text:Message}@#@#{string:Message}',
        maskRules: 'hash email@#@#replace *** column user.password',
        dropFilter: 'level = debug or "health check"',
        sampledPercent: '12.5',
        allowedAddresses: '10.1.0.0/16,2001:db8::/32',
        maxEventsPerSecond: '5000',
        maxBytesPerSecond: '1000000',
        maxBytesPerDay: '50000000000',
        listeningNode: '',
      },
      notOfIt: [
        'update',
        'newToken',
        'oldTokenHours',
        'dataLocation',
        'indexingNode',
        'indexingInterval',
      ],
    },
  ],
  template: [
    {
      given: {
        name: 'Shop, [1]',
        logTypes: 'shop,ümlaut',
        patterns: '{date:Date,yyyy-MM-dd} {{x}} {text:Message}@#@#{string:Rest}',
        description: HOSTILE,
        maskRules: 'cut card',
        enabled: 'false',
      },
      notOfIt: ['update'],
    },
  ],
  user: [
    {
      given: {
        userName: 'ann',
        displayName: HOSTILE,
        groups: 'administrators',
        policy: 'view only',
        administeredGroups: 'administrators',
        enabled: 'false',
      },
      secrets: { userPassword: 'her own password' },
      notOfIt: ['action', 'signIn'],
    },
    {
      given: {
        userName: 'olga',
        displayName: 'Olga',
        groups: '',
        policy: '',
        administeredGroups: '',
        enabled: 'true',
        signIn: 'oidc',
      },
      notOfIt: ['action', 'userPassword'],
    },
  ],
  policy: [
    {
      given: {
        policyName: 'keepers, all',
        displayName: HOSTILE,
        description: HOSTILE,
        operations: 'data,search.cancelAll',
        masks: 'email@#@#column user.password',
      },
      notOfIt: ['action'],
    },
  ],
  group: [
    {
      before: [
        ['securityGroups', { action: 'add', groupName: 'staff' }],
        ['securityGroups', { action: 'add', groupName: 'day, night' }],
      ],
      given: {
        groupName: 'shift, one',
        displayName: HOSTILE,
        description: HOSTILE,
        parents: '["staff","day, night"]',
        administeredGroups: 'staff',
        policy: 'view only',
      },
      notOfIt: ['action', 'members', 'addMembers', 'removeMembers', 'administrators'],
    },
  ],
  setting: [
    {
      given: { set: 'system.dateFormat=dd.MM.yyyy HH:mm:ss' },
      notOfIt: [
        ...['list', 'get', 'reset', 'security', 'timeZone', 'agentMode', 'timeZoneMode', 'appTag'],
        ...['httpPort', 'httpsPort', 'portalUrl', 'portalLicenseKey'],
      ],
    },
  ],
  permission: [
    {
      before: [
        WEB,
        ['addLog', { name: 'access', parentFolder: 'Web' }],
        ['securityUsers', { action: 'add', userName: 'bob', userPassword: 'his password' }],
      ],
      given: {
        path: 'Web->access',
        type: 'log',
        viewGroups: 'administrators,everyone',
        viewUsers: 'bob,admin',
        editGroups: 'administrators',
        editUsers: 'bob',
      },
      notOfIt: ['inherit'],
    },
    {
      given: { path: 'ROOT', type: 'folder', viewGroups: '', viewUsers: '', inherit: 'edit' },
      notOfIt: ['editGroups', 'editUsers'],
    },
  ],
}
