import { nowMs } from '../../../shared/clock.ts'
import { printAge, timePrinter } from '../../../shared/format.ts'

const PRINTER = timePrinter(undefined)
const UNTIL_SECONDS = 19

/** In the zone of the browser; that of UTC behind it. Null is shown as `none`. */
export function Moment({
  iso,
  none = '–',
}: {
  readonly iso: string | null
  readonly none?: string
}) {
  if (iso === null || iso === '') return <span class="soft">{none}</span>
  return (
    <time class="tabular" dateTime={iso} title={iso.replace('T', ' ')}>
      {printMoment(iso)}
    </time>
  )
}

/** How long ago, or how soon; the moment itself where it is pointed at. */
export function Age({ iso, none = '–' }: { readonly iso: string | null; readonly none?: string }) {
  if (iso === null || iso === '') return <span class="soft">{none}</span>
  return (
    <time class="tabular" dateTime={iso} title={printMoment(iso)}>
      {printAge(iso, nowMs())}
    </time>
  )
}

/** 2026-11-25 23:10:04 in the zone of the browser. */
export function printMoment(iso: string): string {
  return PRINTER.full(iso).slice(0, UNTIL_SECONDS)
}
