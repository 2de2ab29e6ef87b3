// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the form of a variable
// Samples of what belongs to monitors, as object-samples.ts has them of all types.
import type { ObjectSample } from './object-samples.ts'

const HOSTILE = 'ümlaut 🦊 "quoted" \'it\' # not: a, comment'

export const MONITOR_SAMPLES: Readonly<
  Record<'alertTarget' | 'monitor' | 'maintenanceWindow' | 'report', readonly ObjectSample[]>
> = {
  alertTarget: [
    {
      given: {
        ...{ name: 'on call, mail', description: HOSTILE, enabled: 'false', type: 'mail' },
        to: 'ops@example.com,night@example.com',
        ...{ digest: 'daily 08:00', timeZone: 'Asia/Tokyo' },
      },
      notOfIt: ['update', 'verify', 'targetURL', 'signingSecret'],
    },
    {
      given: {
        ...{ name: 'hook', description: '', enabled: 'true', type: 'webhook', to: '' },
        ...{ digest: '', timeZone: '' },
      },
      secrets: {
        targetURL: 'https://hooks.example/logeye',
        signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      },
      notOfIt: ['update', 'verify'],
    },
  ],
  monitor: [
    {
      before: [
        ['addAlertTarget', { name: 'on call', type: 'mail', to: 'ops@example.com' }],
        ['securityUsers', { action: 'add', userName: 'mona', userPassword: 'her password' }],
      ],
      given: {
        ...{ name: 'failures, all', query: `error or "${'a'}" in log.access`, owner: 'mona' },
        ...{ sources: 'folder.Web, log.access*', schedule: 'weekly mon,thu 08:00' },
        ...{ timeZone: 'Asia/Tokyo', businessHours: 'mon-fri 08:00-18:00', window: '15m' },
        ...{ delaySeconds: '60', rule: 'count > 5', groupBy: 'host', severity: 'critical' },
        ...{ once: 'false', openAfter: '2', closeAfter: '3', maxAlertsPerHour: '4' },
        ...{ tellEnd: 'true', actions: 'on call', subject: '${monitor}: ${count}' },
        escalation: '15m: on call, 1d: on call',
        ...{ text: '${rows}', description: HOSTILE, enabled: 'false' },
      },
      notOfIt: ['update'],
    },
  ],
  maintenanceWindow: [
    {
      before: [['addMonitor', { name: 'one, two', query: 'error' }]],
      given: {
        ...{ name: 'night, [1]', monitors: '["one, two"]', start: '2026-03-01T22:00:00Z' },
        ...{ end: '2026-03-02T04:00:00Z', cron: '0 22 * * 6', minutes: '90' },
        ...{ timeZone: 'Asia/Tokyo', description: HOSTILE, enabled: 'false' },
      },
      notOfIt: ['update'],
    },
  ],
  report: [
    {
      before: [
        ['addAlertTarget', { name: 'desk, mail', type: 'mail', to: 'ops@example.com' }],
        ['securityUsers', { action: 'add', userName: 'rita', userPassword: 'her password' }],
        ['addApp', { name: 'Web' }],
        ['addDashboard', { app: 'Web', name: 'Traffic' }],
      ],
      given: {
        ...{ name: 'traffic, weekly', dashboard: 'Web->Traffic', search: '', owner: 'rita' },
        ...{ schedule: 'weekly mon,thu 08:00', timeZone: 'Asia/Tokyo' },
        ...{ targets: '["desk, mail"]', subject: HOSTILE, description: HOSTILE },
        enabled: 'false',
      },
      notOfIt: ['update'],
    },
  ],
}
