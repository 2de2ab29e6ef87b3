// What is told of an alert, made once and kept: every target and every attempt says the same.
import type { AlertRow } from '../../../infra/database/rows/monitor-tables.ts'
import { type MonitorSettings, SEVERITIES } from '../../../schemas/monitors/monitor.ts'
import type { AlertNotice, AlertPicture, AlertSample } from '../../../schemas/monitors/notice.ts'
import type { TimeWindow } from '../../../schemas/time/time-window.ts'
import { fillTemplate, USUAL_SUBJECT, USUAL_TEXT } from './fill-template.ts'
import { searchLink } from './search-link.ts'

const EVENT_WORDS = {
  ...{ opened: 'opened', repeated: 'still failing', closed: 'closed', test: 'test' },
  escalated: 'open, and nobody has seen to it',
}

export function makeNotice(
  told: {
    readonly alert: Pick<
      AlertRow,
      'id' | 'monitor_name' | 'severity' | 'group_key' | 'opened_ms' | 'query'
    >
    readonly kind: Exclude<AlertNotice['event'], 'digest'>
    readonly settings: Pick<MonitorSettings, 'subject' | 'text'>
    readonly count: number
    readonly sample: AlertSample
    readonly atMs: number
    readonly window: TimeWindow
    readonly picture?: AlertPicture | undefined
  },
  publicUrl: string,
): AlertNotice {
  const { alert, kind, settings, count, sample, atMs, window } = told
  const link = searchLink(publicUrl, alert.query, window)
  const severity = SEVERITIES.find((one) => one === alert.severity) ?? 'medium'
  const values = {
    ...{ monitor: alert.monitor_name, severity, group: alert.group_key, count: String(count) },
    ...{ event: EVENT_WORDS[kind], query: alert.query, link },
    ...{ opened: printTime(alert.opened_ms), time: printTime(atMs), rows: printRows(sample) },
  }
  return {
    ...{ event: kind, alertId: alert.id, monitor: alert.monitor_name, severity },
    ...{ group: alert.group_key, count, query: alert.query, openedMs: alert.opened_ms, atMs },
    ...{ sample: kind === 'closed' ? { columns: [], rows: [] } : sample, link },
    subject: oneLine(fillTemplate(settings.subject || USUAL_SUBJECT, values)),
    text: fillTemplate(settings.text || USUAL_TEXT, values),
    ...(kind === 'closed' || told.picture === undefined ? {} : { picture: told.picture }),
  }
}

function printTime(ms: number): string {
  return `${new Date(ms).toISOString().replace('T', ' ').slice(0, 19)} UTC`
}

const MAX_SUBJECT_CHARACTERS = 200

/** A line end in it would begin another header. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  return [...line].slice(0, MAX_SUBJECT_CHARACTERS).join('')
}

/** A row a line, its cells with their names. */
function printRows({ columns, rows }: AlertSample): string {
  return rows
    .map((row) =>
      columns
        .map((name, at) => ({ name, cell: row[at] ?? '' }))
        .filter(({ cell }) => cell !== '')
        .map(({ name, cell }) => `${name}: ${cell.replace(/\s+/g, ' ')}`)
        .join(' · '),
    )
    .join('\n')
}
