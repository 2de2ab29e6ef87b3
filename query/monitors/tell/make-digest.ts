// One notice of many: each alert in it once, with what became of it. Pure.
import { SEVERITIES } from '../../../schemas/monitors/monitor.ts'
import type { AlertNotice } from '../../../schemas/monitors/notice.ts'

type Gathered = { readonly alertId: number; readonly notice: AlertNotice }

/** More are counted. */
const MAX_ALERTS = 500
const COLUMNS = ['state', 'severity', 'monitor', 'group', 'rows', 'opened', 'subject', 'link']

/** `gathered`: the oldest first. `link`: to all alerts. */
export function makeDigest(
  gathered: readonly Gathered[],
  nowMs: number,
  link: string,
): AlertNotice {
  const newest = new Map<number, AlertNotice>()
  for (const { alertId, notice } of gathered) newest.set(alertId, notice)
  const alerts = [...newest.values()].sort((a, b) => rank(b) - rank(a) || a.openedMs - b.openedMs)
  const shown = alerts.slice(0, MAX_ALERTS)
  const open = alerts.filter(({ event }) => event !== 'closed').length
  const title = `${alerts.length} alert${alerts.length === 1 ? '' : 's'}, ${open} of them open`
  const more = alerts.length - shown.length
  const text = [
    title,
    ...shown.map((notice) => ['', ...printAlert(notice)].join('\n')),
    ...(more === 0 ? [] : ['', `and ${more} more`]),
    ...['', `All alerts: ${link}`, ''],
  ].join('\n')
  return {
    ...{ event: 'digest', alertId: 0, monitor: '', severity: alerts[0]?.severity ?? 'low' },
    ...{ group: '', count: alerts.length, query: '', atMs: nowMs, link, text },
    openedMs: Math.min(...alerts.map(({ openedMs }) => openedMs)),
    sample: { columns: COLUMNS, rows: shown.map(rowOf) },
    subject: `[digest] ${title}`,
  }
}

function rank({ severity }: AlertNotice): number {
  return SEVERITIES.indexOf(severity)
}

function stateOf({ event }: AlertNotice): string {
  return event === 'closed' ? 'closed' : 'open'
}

function printAlert(notice: AlertNotice): string[] {
  const { subject, count, openedMs, link } = notice
  return [
    `* ${subject}`,
    `  ${stateOf(notice)}, ${count} rows, since ${printTime(openedMs)}`,
    `  ${link}`,
  ]
}

function rowOf(notice: AlertNotice): string[] {
  const { severity, monitor, group, count, openedMs, subject, link } = notice
  const opened = new Date(openedMs).toISOString()
  return [stateOf(notice), severity, monitor, group, String(count), opened, subject, link]
}

function printTime(ms: number): string {
  return `${new Date(ms).toISOString().replace('T', ' ').slice(0, 19)} UTC`
}
