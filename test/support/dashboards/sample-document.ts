// Dashboards with every visual type and hard data, as documents are made of.
import type { DocumentQuestion } from '../../../query/dashboards/document/document-question.ts'
import { dashboardDefinition } from '../../../schemas/dashboards/dashboard.ts'
import { type DashboardResult, dashboardResult } from '../../../schemas/dashboards/result.ts'

type Cell = string | number | null
type Rows = { columns: readonly string[]; rows: readonly (readonly Cell[])[]; hasMore?: boolean }

export type SampleWidget = {
  readonly id: string
  readonly type: string
  readonly title?: string
  readonly place?: readonly [column: number, row: number, width: number, height: number]
  readonly options?: object
  readonly text?: string
  readonly rows?: Rows
  readonly error?: string
}

export const MADE_MS = Date.UTC(2026, 2, 1, 9, 30)
const HOUR_MS = 3_600_000

/** Columns: `name:number` and `name:time` have those types. */
function resultRows({ columns, rows, hasMore = false }: Rows) {
  const types = columns.map((column) => column.split(':')[1] ?? 'text')
  return {
    columns: columns.map((column, at) => ({
      name: column.split(':')[0],
      type: types[at],
      ...(types[at] === 'time' ? { times: rows.map((row) => row[at] ?? null) } : {}),
    })),
    rows: rows.map((row) =>
      row.map((cell, at) =>
        types[at] === 'time' && typeof cell === 'number'
          ? new Date(cell).toISOString().slice(0, 16)
          : cell === null
            ? null
            : String(cell),
      ),
    ),
    hasMore,
  }
}

export function sampleDocument(
  widgets: readonly SampleWidget[],
  given: Partial<DocumentQuestion> = {},
): DocumentQuestion {
  const definition = dashboardDefinition.parse({
    description: 'What the shop answers, and how fast.',
    widgets: widgets.map(({ id, type, title = id, place, options, text }, at) => {
      const [column, row, width, height] = place ?? [(at % 3) * 4, Math.floor(at / 3) * 6, 4, 6]
      return {
        ...{ id, type, title, text, options, query: type === 'text' ? '' : '* | count' },
        place: { column, row, width, height },
      }
    }),
  })
  const result: DashboardResult = dashboardResult.parse({
    version: 1,
    generatedMs: MADE_MS,
    timeZone: 'Europe/Berlin',
    dateFormat: 'yyyy-MM-dd HH:mm:ss',
    widgets: widgets.map(({ id, rows, error }) => ({
      ...{ widgetId: id, query: '* | count', warnings: [] },
      window: { startMs: MADE_MS - 24 * HOUR_MS, endMs: MADE_MS },
      rows: rows === undefined ? null : resultRows(rows),
      error: error === undefined ? null : { code: 'timeout', message: error },
    })),
  })
  return {
    ...{ appName: 'Web access', dashboardName: 'Overview', definition, result },
    ...{ timeFrame: 'last 24 hours', chosen: '', links: {} },
    ...given,
  }
}

const hours = (count: number) =>
  Array.from({ length: count }, (_, n) => MADE_MS - (count - n) * HOUR_MS)
const wave = (n: number, size: number) => Math.round(size * (1.4 + Math.sin(n / 3) + (n % 5) / 6))

/** One of each. */
export const EVERY_TYPE: readonly SampleWidget[] = [
  {
    ...{ id: 'line', type: 'line', title: 'Requests an hour', options: { unit: 'short' } },
    rows: {
      columns: ['time:time', 'count:number', 'errors:number'],
      rows: hours(24).map((ms, n) => [ms, wave(n, 12_000), n === 11 ? null : wave(n, 700)]),
    },
  },
  {
    ...{
      id: 'area',
      type: 'area',
      title: 'Bytes sent',
      options: { unit: 'bytes', legend: 'right' },
    },
    rows: {
      columns: ['time:time', 'Host', 'sum:number'],
      rows: hours(24).flatMap((ms, n) =>
        ['web-01', 'web-02'].map((host, at) => [ms, host, wave(n + at * 4, 4e8)]),
      ),
    },
  },
  {
    ...{ id: 'column', type: 'column', title: 'Events a day' },
    rows: {
      columns: ['time:time', 'count:number'],
      rows: Array.from({ length: 14 }, (_, n) => [
        Date.UTC(2026, 1, 14 + n) - HOUR_MS,
        wave(n, 500),
      ]),
    },
  },
  {
    ...{ id: 'stacked', type: 'stackedColumn', title: 'Status by hour' },
    rows: {
      columns: ['time:time', 'status', 'count:number'],
      rows: hours(12).flatMap((ms, n) =>
        ['200', '304', '404', '500'].map((status, at) => [ms, status, wave(n + at, 90 / (at + 1))]),
      ),
    },
  },
  {
    ...{ id: 'bar', type: 'bar', title: 'Slowest pages', options: { unit: 'milliseconds' } },
    rows: {
      columns: ['page', 'avg:number'],
      rows: [
        ['/checkout/payment/confirm?step=3&very=long', 2312],
        ['/search', 1310.5],
        ['/Κατάλογος', 990],
        ['/каталог', 640],
        ['/', 85],
      ],
    },
  },
  {
    ...{ id: 'pie', type: 'pie', title: 'Countries', options: { legend: 'right' } },
    rows: {
      columns: ['country', 'count:number'],
      rows: [
        ['Deutschland', 5200],
        ['Ελλάδα', 2100],
        ['Россия', 1700],
        ['France', 900],
        ['日本', 650],
        ['Polska', 300],
      ],
    },
  },
  {
    ...{ id: 'donut', type: 'donut', title: 'Methods', options: { legend: 'bottom' } },
    rows: {
      columns: ['method', 'count:number'],
      rows: [
        ['GET', 81_000],
        ['POST', 9000],
        ['PUT', 400],
        ['DELETE', 12],
      ],
    },
  },
  {
    ...{ id: 'gauge', type: 'gauge', title: 'Errors of all requests' },
    options: {
      ...{ unit: 'percent', min: 0, max: 10 },
      thresholds: [
        { from: 0, level: 'good' },
        { from: 2, level: 'warning' },
        { from: 5, level: 'critical' },
      ],
    },
    rows: { columns: ['percent:number'], rows: [[3.42]] },
  },
  {
    ...{ id: 'number', type: 'number', title: 'Requests', options: { unit: 'none' } },
    rows: { columns: ['count:number'], rows: [[1_234_567]] },
  },
  {
    ...{ id: 'heat', type: 'heatMap', title: 'Load by hour and host' },
    rows: {
      columns: ['time:time', 'host', 'count:number'],
      rows: hours(24).flatMap((ms, n) =>
        ['web-01', 'web-02', 'web-03', 'db-01', 'db-02'].map((host, at) => [
          ms,
          host,
          wave(n + at * 3, 40),
        ]),
      ),
    },
  },
  {
    ...{ id: 'map', type: 'map', title: 'Where requests come from' },
    rows: {
      columns: ['city', 'latitude', 'longitude', 'count:number'],
      rows: [
        ['Berlin', 52.5, 13.4, 900],
        ['Athens', 37.98, 23.7, 300],
        ['Tokyo', 35.7, 139.7, 500],
        ['São Paulo', -23.5, -46.6, 420],
        ['New York', 40.7, -74, 800],
        ['Sydney', -33.9, 151.2, 120],
      ],
    },
  },
  {
    ...{ id: 'words', type: 'wordCloud', title: 'Words of errors' },
    rows: {
      columns: ['word', 'count:number'],
      rows: ['timeout', 'refused', 'payment', 'gateway', 'ошибка', 'σφάλμα', 'disk', 'quota']
        .concat(['certificate', 'expired', 'retry', 'null', 'pool', 'deadlock', 'memory', 'socket'])
        .map((word, n) => [word, 400 - n * 23]),
    },
  },
  {
    ...{ id: 'text', type: 'text', title: 'About', place: [0, 24, 4, 4] },
    text: 'Numbers of the front servers.\nCall the shop team when the gauge is red:\nΚαλημέρα, доброе утро, שלום, مرحبا, สวัสดี, 你好.',
  },
  {
    ...{ id: 'table', type: 'table', title: 'Requests by page', place: [4, 24, 8, 6] },
    rows: {
      columns: ['page', 'status', 'count:number', 'avg time:number'],
      rows: Array.from({ length: 1000 }, (_, n) => [`/page/${n + 1}`, 200, n * 7, n / 4]),
    },
  },
  {
    ...{ id: 'events', type: 'eventList', title: 'Last events', place: [0, 30, 12, 5] },
    rows: {
      columns: ['timestamp', 'log', 'folder', 'host', 'source', 'message'],
      rows: Array.from({ length: 12 }, (_, n) => [
        ...[
          `2026-03-01 09:${String(n).padStart(2, '0')}:00`,
          'access',
          'Web',
          'web-01',
          '10.0.0.1',
        ],
        `GET /checkout/step/${n} HTTP/1.1 500 "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101"`,
      ]),
    },
  },
  {
    ...{ id: 'transactions', type: 'transactionTable', title: 'Orders', place: [0, 35, 6, 5] },
    rows: {
      columns: ['order', 'duration:number', 'steps:number'],
      rows: [
        ['A-1', 3.5, 4],
        ['A-2', 120, 4],
      ],
    },
  },
]
