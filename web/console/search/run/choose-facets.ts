// Which columns are counted beside the events: level, log and host always, then those of the events
// at hand that tell most. Pure.
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'
import { LEVEL_NAME } from '../events/level.ts'

const FIXED = ['log', 'host']
const MOST = 9
/** A column with more different values than this in a page tells events apart, not groups. */
const MOST_VALUES = 12
const SEEN = 250

export function chooseFacets(
  events: readonly EventAnswer[],
  added: readonly string[],
): readonly string[] {
  const page = events.slice(0, SEEN)
  const values = new Map<string, Map<string, number>>()
  for (const { columns } of page)
    for (const [name, value] of Object.entries(columns)) {
      const counts = values.get(name) ?? new Map<string, number>()
      counts.set(value, (counts.get(value) ?? 0) + 1)
      values.set(name, counts)
    }
  const telling = [...values]
    .map(([name, counts]) => ({
      name,
      distinct: counts.size,
      events: [...counts.values()].reduce((sum, count) => sum + count, 0),
    }))
    .filter(({ name, distinct, events: all }) => {
      if (isShown(name)) return false
      return distinct > 1 && distinct <= MOST_VALUES && all > distinct && all * 10 >= page.length
    })
    .sort((a, b) => b.events - a.events || a.distinct - b.distinct || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
  const level = [...values.keys()].find((name) => LEVEL_NAME.test(name))
  const first = level === undefined ? FIXED : [level, ...FIXED]
  const chosen = [...new Set([...added, ...first, ...telling])]
  return chosen.slice(0, Math.max(MOST, added.length + first.length))
}

function isShown(name: string): boolean {
  return LEVEL_NAME.test(name) || /^(?:timestamp|message|time|date|log|host|source)$/i.test(name)
}
