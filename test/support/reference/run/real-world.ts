// Excerpts of real logs (test/fixtures) as the writer stored them, read back from the store for the
// reference.
import { readFileSync } from 'node:fs'
import type { SearchPipeline } from '../../apps/search-pipeline.ts'
import type { QueryColumn } from '../random/query-columns.ts'
import { fold } from '../text.ts'
import type { CampaignWorld } from './campaign.ts'
import type { ReferenceEvent } from './model.ts'
import { readStoredWorld } from './stored-world.ts'

const FILES = {
  apache: 'apache-access.log',
  cloudtrail: 'aws-cloudtrail.ndjson',
  nginx: 'nginxplus-status.ndjson',
  sysmon: 'windows-sysmon.ndjson',
  zeek: 'zeek-apt29.ndjson',
}
/** They would get the time of their receipt, and every run other answers. */
const TIMELESS = new Set(['apache', 'sysmon'])
const FIRST_MS = Date.UTC(2022, 4, 13, 8, 54)
const REPEATS = 3
const LONGEST_VALUE = 60

export async function ingestRealEvents(pipeline: SearchPipeline): Promise<void> {
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const [name, file] of Object.entries(FILES)) {
      const text = readFileSync(new URL(`../../../fixtures/${file}`, import.meta.url), 'utf8')
      const lines = text.split(/\r?\n/).filter((line) => line !== '')
      const events = lines.map((line, index) => ({
        productPath: `Real->${name}`,
        productName: `${name} ${repeat}`,
        ...(TIMELESS.has(name) ? { timestamp: FIRST_MS + index * 7777 } : {}),
        ...(line.startsWith('{') ? JSON.parse(line) : { message: line }),
      }))
      await pipeline.ingest(events, { hostName: `host-${repeat}` })
    }
  }
}

export async function readRealWorld(pipeline: SearchPipeline): Promise<CampaignWorld> {
  const stored = await readStoredWorld(pipeline, ['Real'], 'Europe/Berlin')
  const { events } = stored.world
  return {
    stored,
    columns: queryColumns(events),
    words: termsOf(events),
    scopes: ['log.zeek *', 'folder.Real->apache', 'server.host-1', 'folder.Real', 'log.sysmon ?'],
    intervals: ['hour', 'day', '2 days', 'week', '3 months', 'year', '10 years'],
    transactionKeys: ['host', 'id_orig_h', 'uid'],
  }
}

/** What can be asked of the columns, from their values. */
function queryColumns(events: readonly ReferenceEvent[]): QueryColumn[] {
  const values = new Map<string, Set<string | number | boolean>>()
  for (const { columns } of events) {
    for (const [name, value] of Object.entries(columns)) {
      const known = values.get(name) ?? new Set()
      values.set(name, known.add(value))
    }
  }
  const parsed = [...values].map(([name, set]): QueryColumn => {
    const list = [...set]
    const texts = list.map(String).filter((text) => text.length <= LONGEST_VALUE)
    const isNumber = list.every((value) => typeof value === 'number')
    const isCased = new Set(texts.map(fold)).size < texts.length
    return {
      name,
      kind: isNumber ? 'number' : isCased ? 'cased' : 'text',
      values: texts.slice(0, 8).map((text) => (isNumber ? text : quoted(text))),
    }
  })
  return [
    ...parsed.filter(({ name }) => !/[,|="[\]]/.test(name)),
    { name: 'host', kind: 'text', values: ['host-0', 'host-*'] },
    { name: 'log', kind: 'text', values: ['"zeek 1"', '*2'] },
    { name: 'size', kind: 'number', values: ['1kb', '500', '2000'] },
    { name: 'timestamp', kind: 'date', values: [] },
    { name: 'message', kind: 'text', values: ['"conn"', '*GET*'] },
  ]
}

/** Words and phrases that stand in the texts, and some that nearly do. */
function termsOf(events: readonly ReferenceEvent[]): string[] {
  const pieces = events.flatMap(({ texts }) => texts.flatMap((text) => text.split(/\s+/)))
  const short = [...new Set(pieces)].filter((text) => text.length > 1 && text.length < 40)
  const chosen = short.filter((_, index) => index % 7 === 0)
  return chosen
    .flatMap((text) => [quoted(text), quoted(text.slice(0, -1))])
    .filter((text) => text !== '""')
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
