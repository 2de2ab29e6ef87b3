// Which transaction each event of a step belongs to, and whether it joins it
// (search-language#transaction): an event of the first step opens one; an event of a later step
// joins the open one of its key unless its step lies before the last joined; the last step closes
// it.

type Rules = {
  readonly lastStep: number
  readonly limitMs: string | null
  readonly isUniqueKey: boolean
}

const BY_KEY = 'PARTITION BY id ORDER BY moment'

/** `events`: key, id, moment, ms, step. Adds `part`, the transaction's number within its key, and
 *  isMember. */
export function transactionMembers(events: string, rules: Rules): string {
  const parts =
    rules.isUniqueKey && rules.lastStep > 0 ? uniqueParts(events, rules) : plainParts(events)
  const { lastStep, limitMs } = rules
  const inPart = 'PARTITION BY id, part ORDER BY moment'
  const before = `max(toInt32(step)) OVER (${inPart} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`
  const opened = 'min(ms) OVER (PARTITION BY id, part)'
  const placed = `SELECT *, ${before} AS stepBefore, ${opened} AS openedMs FROM (${parts}) WHERE part > 0`
  const isInTime = limitMs === null ? '' : ` AND ms - openedMs <= ${limitMs}`
  const joins = `(step >= stepBefore AND stepBefore < ${lastStep}${isInTime})`
  return `SELECT key, id, part, moment, ms, step, (step = 0 OR ${joins}) AS isMember FROM (${placed})`
}

/** Every event of the first step opens a transaction. */
function plainParts(events: string): string {
  const opened = `countIf(step = 0) OVER (${BY_KEY} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`
  return `SELECT *, ${opened} AS part FROM (${events})`
}

/**
 * Events of the first step that follow each other directly open one transaction together, but for
 * those beyond the time limit, which open the next. A pause longer than the limit cuts in any case,
 * so that what is left to count one by one is short.
 */
function uniqueParts(events: string, { limitMs }: Rules): string {
  const frame = `${BY_KEY} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`
  const previousStep = `lagInFrame(step, 1, 1) OVER (${frame})`
  const previousMs = `lagInFrame(ms, 1, ms) OVER (${frame})`
  const pause = limitMs === null ? '' : ` OR ms - previousMs > ${limitMs}`
  const isFirst = `(step = 0 AND (previousStep != 0${pause}))`
  const marked = `SELECT *, ${isFirst} AS isFirst FROM (SELECT *, ${previousStep} AS previousStep, ${previousMs} AS previousMs FROM (${events}))`
  const runs = `SELECT key, id, moment, ms, step, countIf(isFirst) OVER (${BY_KEY} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS run FROM (${marked})`
  if (limitMs === null) return `SELECT *, run AS part FROM (${runs})`
  const grouped = `SELECT id, run, arraySort(groupArray((moment, ms, step, key))) AS list, arraySort(groupArrayIf(ms, step = 0)) AS openings FROM (${runs}) WHERE run > 0 GROUP BY id, run`
  const starts = `arrayFold((starts, opening) -> if(opening - starts[-1] > ${limitMs}, arrayPushBack(starts, opening), starts), openings, [openings[1]])`
  const numbered = `SELECT id, run, event.1 AS moment, event.2 AS ms, event.3 AS step, event.4 AS key, arrayCount(start -> start <= event.2, starts) AS piece FROM (SELECT id, run, list, ${starts} AS starts FROM (${grouped})) ARRAY JOIN list AS event`
  const part = 'dense_rank() OVER (PARTITION BY id ORDER BY run, piece) AS part'
  return `SELECT key, id, moment, ms, step, ${part} FROM (${numbered})`
}
