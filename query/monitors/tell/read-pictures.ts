// What the charts of alerts show: how many events the monitor's filter found when, up to its due
// time, read as the owner. A table's rows have no time, and what is new had none before: these have
// no chart.
import { isFailure } from '../../../schemas/failures.ts'
import type { AlertPicture } from '../../../schemas/monitors/notice.ts'
import { isNewKind } from '../../../schemas/monitors/rule.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { COUNT_PARTS, compileCounts } from '../../language/reads/compile-counts.ts'
import type { SearchInput } from '../../language/search-input.ts'
import { collect } from '../../search/collect.ts'
import type { Turn } from '../../search/run-in-turn.ts'
import { readCountRow, valuesOf } from '../../search-json/calls/count-values.ts'
import type { TurnStore } from '../../search-json/endpoint.ts'
import { workInTurn } from '../../search-json/work-in-turn.ts'
import { type ObserveDeps, readInput } from '../observe.ts'
import type { Question } from '../question.ts'

export type Pictures = ReadonlyMap<string, AlertPicture>

const COLUMNS = 48
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Of an hour that is unusual, two days by the hour. */
const UNUSUAL_MS = 2 * DAY_MS
/** A longer window is shown as part of so many. */
const WINDOWS = 4
/** More logs have no chart. */
const MAX_LOGS = 5
const MAX_GROUPS = 500

/** By group. None is no failure: an alert is told without. */
export async function readPictures(
  question: Question,
  groups: readonly string[],
  turn: Turn,
  deps: ObserveDeps,
): Promise<Pictures> {
  const { rule, settings } = question
  if (groups.length === 0 || isNewKind(rule) || rule.kind === 'column') return new Map()
  const { input, style } = await readInput(question, deps)
  const slots = slotsOf(question)
  const window = { startMs: slots.originMs, endMs: slots.originMs + COLUMNS * slots.lengthMs }
  const shown = { ...input, window, arrival: undefined }
  const picture = (counts: readonly number[]): AlertPicture => ({
    ...{ fromMs: slots.originMs, stepMs: slots.lengthMs, counts, timeZone: style.zone.name },
  })
  const read = async (store: TurnStore) => {
    if (rule.kind === 'silence' || rule.kind === 'unusual') {
      const pictures = new Map<string, AlertPicture>()
      for (const group of groups.slice(0, MAX_LOGS)) {
        const visibleLogs = shown.visibleLogs.filter(
          ({ folder, name }) => logPathKey(folder, name) === group,
        )
        const counts = await readCounts({ ...shown, visibleLogs }, slots, '', store)
        pictures.set(group, picture(counts.get('') ?? []))
      }
      return pictures
    }
    const counts = await readCounts(shown, slots, settings.groupBy, store)
    return new Map(
      groups.flatMap((group) => {
        const of = counts.get(settings.groupBy === '' ? '' : group.toLowerCase())
        return of === undefined ? [] : [[group, picture(of)] as const]
      }),
    )
  }
  try {
    return await workInTurn(turn, deps, read)
  } catch (error) {
    // A query with stages, too many groups, the store is away.
    if (isFailure(error)) return new Map()
    throw error
  }
}

type Slots = { readonly originMs: number; readonly lengthMs: number }

/** Whole minutes, the last one ends at the due time or behind it. */
function slotsOf({ rule, window, nowMs }: Question): Slots {
  const { startMs, endMs } = window
  const windowMs = startMs === null || endMs === null ? 0 : endMs - startMs
  const spanMs = rule.kind === 'unusual' ? UNUSUAL_MS : Math.max(DAY_MS, WINDOWS * windowMs)
  const lengthMs = Math.ceil(spanMs / COLUMNS / MINUTE_MS) * MINUTE_MS
  const end = Math.ceil(nowMs / lengthMs) * lengthMs
  return { originMs: end - COLUMNS * lengthMs, lengthMs }
}

/** By group in small letters; '' where there is no column to group by. */
async function readCounts(
  input: SearchInput,
  slots: Slots,
  groupBy: string,
  store: TurnStore,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const splitBy = groupBy === '' ? undefined : groupBy
  const compiled = compileCounts({ ...input, slots, facets: [], splitBy, maxValues: MAX_GROUPS })
  const rows = (await collect(store.stream(compiled))).map(readCountRow)
  const filled = (of: readonly { readonly slot: number; readonly events: number }[]) => {
    const counts = new Array<number>(COLUMNS).fill(0)
    for (const { slot, events } of of) if (slot >= 0 && slot < COLUMNS) counts[slot] = events
    return counts
  }
  if (splitBy === undefined)
    return new Map([['', filled(rows.filter(({ part }) => part === COUNT_PARTS.slots))]])
  const { values } = valuesOf(compiled.split, MAX_GROUPS, { compiled, rows })
  return new Map(values.map(({ value, rows: of }) => [value.toLowerCase(), filled(of)]))
}
