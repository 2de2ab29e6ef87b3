// The runs of a trial as bars: of each, or of some that follow one another. Pure.
import type { Bar } from '../../../../shared/charts/bar.ts'
import { timePrinter } from '../../../../shared/format.ts'

const MOST_BARS = 60

type Tried = { readonly at: string; readonly count: number; readonly failing: number }

/** `rows`: the most rows of a run of each, where none failed and where one did; `runs`: how many
 *  passed and failed. */
export function triedBars(tried: readonly Tried[], shown: 'rows' | 'runs'): Bar[] {
  const each = Math.max(1, Math.ceil(tried.length / MOST_BARS))
  const print = timePrinter(undefined).minute
  const bars: Bar[] = []
  for (let from = 0; from < tried.length; from += each) {
    const some = tried.slice(from, from + each)
    const first = print(some[0]?.at ?? '')
    const last = print(some.at(-1)?.at ?? '')
    const failed = some.filter(({ failing }) => failing > 0)
    const most = Math.max(...(failed.length > 0 ? failed : some).map(({ count }) => count))
    const values =
      shown === 'runs'
        ? [some.length - failed.length, failed.length]
        : failed.length > 0
          ? [0, most]
          : [most, 0]
    bars.push({ label: first, title: first === last ? first : `${first} – ${last}`, values })
  }
  return bars
}
