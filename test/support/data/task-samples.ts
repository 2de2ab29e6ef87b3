// Samples of tasks, as object-samples.ts has them of all types.
import type { ObjectSample } from './object-samples.ts'

const WEB = ['addFolder', { name: 'Web' }] as const
const HOSTILE = 'ümlaut 🦊 "quoted" \'it\' # not: a, comment'

const SYNC_FILE = `<?xml version="1.0" encoding="UTF-8"?>
<SyncLogsConfiguration>
  <SyncLogsRepository repositoryDirectory="/mnt/repo/" timeToKeep="30"/>
  <SyncLogsNode repositoryDirectory="node-a">
    <Remote><Account classKey="ssh" name="node-a"/></Remote>
    <SyncLogsDirectory syncDirectory="/var/log" directoriesToInclude="" directoriesToExclude=""
                       filesToInclude="ümlaut &amp; *" filesToExclude="" subdirsScanLevel=""/>
  </SyncLogsNode>
</SyncLogsConfiguration>
`

export const TASK_SAMPLES: Readonly<
  Record<'scanTask' | 'syncLogTask' | 'queryTask', readonly ObjectSample[]>
> = {
  scanTask: [
    {
      before: [
        WEB,
        [
          'addSSHAccount',
          { name: 'files', host: 'edge.example', userName: 'logs', userPassword: 'p' },
        ],
      ],
      given: {
        name: 'nightly, web',
        directory: 'logs/ümlaut, a',
        account: 'files',
        parentFolder: 'Web',
        collectionPolicy: 'Default',
        appTags: '["Shop","A,b"]',
        template: 'Apache access',
        include: '*.log,access.?',
        exclude: '*.gz',
        scanLevel: '2',
        cron: '*/5 0-4 * * 1-5',
        description: HOSTILE,
        enabled: 'false',
      },
      notOfIt: ['update'],
    },
  ],
  syncLogTask: [
    {
      before: [
        [
          'addSSHAccount',
          { name: 'node-a', host: 'a.example', userName: 'logs', userPassword: 'p' },
        ],
      ],
      given: {
        name: 'copy, [1]',
        configFile: SYNC_FILE,
        cron: '0 1 * * *',
        assignedNode: '',
        description: HOSTILE,
        enabled: 'false',
      },
      notOfIt: ['update'],
    },
  ],
  queryTask: [
    {
      before: [
        WEB,
        ['addLog', { name: 'orders', parentFolder: 'Web' }],
        [
          'addDatabaseAccount',
          { name: 'orders db', host: 'db.example', database: 'shop', userName: 'reader' },
        ],
      ],
      given: {
        name: 'orders, new',
        account: 'orders db',
        query: "SELECT *, ':mark' FROM orders WHERE id > :mark -- :mark",
        markColumn: 'id',
        firstMark: '41',
        timeColumn: 'created "at"',
        messageColumn: 'text',
        log: 'Web->orders',
        cron: '*/5 * * * *',
        description: HOSTILE,
        enabled: 'false',
      },
      notOfIt: ['update', 'mark'],
    },
  ],
}
