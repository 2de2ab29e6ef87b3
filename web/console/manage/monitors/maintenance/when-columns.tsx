import { nowMs } from '../../../../shared/clock.ts'
import { sayCron } from '../../../parts/say-cron.ts'
import { readNames } from '../../objects/name-list.ts'
import type { ExtraColumn } from '../../objects/object-extras.ts'
import { printMoment } from '../../parts/moment.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { printLength } from '../../parts/print.ts'
import { MAINTENANCE_TEXTS } from './texts.ts'

const T = MAINTENANCE_TEXTS

/** As the server takes it where none is given. */
const USUAL_MINUTES = '60'

type Given = Readonly<Record<string, string>>

/** Of each window: which monitors, when, and whether that is over. */
export function useMaintenanceColumns(): readonly ExtraColumn[] {
  return [
    {
      name: T.monitors,
      rankOf: (_, { monitors = '' }) => monitors || null,
      of: (_, { monitors = '' }) => {
        const names = readNames(monitors)
        return names.length === 0 ? <span class="soft">{T.all}</span> : names.join(', ')
      },
    },
    {
      name: T.when,
      rankOf: (_, { start = '' }) => start || null,
      of: (_, given) => printWhen(given),
    },
    {
      name: T.state,
      rankOf: (_, given) => T[stateOf(given)],
      of: (_, given) => {
        const state = stateOf(given)
        return <Pill tone={TONES[state]}>{T[state]}</Pill>
      },
    },
  ]
}

function printWhen({ start = '', end = '', cron = '', minutes = '', timeZone = '' }: Given) {
  const once = start === '' ? [] : [T.fromTo(printMoment(start), printMoment(end))]
  const length = printLength(Number(minutes || USUAL_MINUTES) * 60_000)
  const again = cron === '' ? [] : [T.each(sayCron(cron), length, timeZone)]
  return [...once, ...again].join('; ')
}

type State = 'repeated' | 'over' | 'toCome' | 'now'
const TONES: Readonly<Record<State, Tone>> = {
  ...{ repeated: 'faint', over: 'faint', toCome: 'info', now: 'warning' },
}

/** Of one that is repeated the page does not know it: the zone of the system may count. */
function stateOf({ start = '', end = '', cron = '' }: Given): State {
  if (start === '' || cron !== '') return 'repeated'
  if (Date.parse(end) <= nowMs()) return 'over'
  return Date.parse(start) > nowMs() ? 'toCome' : 'now'
}
