import type { UsageRow } from '../../../schemas/portal/usage.ts'
import { askRaw, withQuery } from './ask.ts'

export const LINES = 'application/x-ndjson'

export type UsageAsked = {
  readonly granularity: 'hour' | 'day'
  /** ISO 8601. */
  readonly from: string
  readonly to: string
  readonly deploymentId?: string
  readonly source?: string
}

/** All rows, as lines of JSON. Throws CallError. */
export async function readUsageLines(asked: UsageAsked, signal?: AbortSignal): Promise<string> {
  const answer = await askRaw(withQuery('/usage', asked), { accept: LINES, signal })
  return await answer.text()
}

export function parseLines(text: string): UsageRow[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}
