// The table of the search benchmark, and what of it is not as asked.
import { median } from '../bench/verdicts.ts'
import type { Measured } from './measure-figure.ts'

export function printHead(): void {
  console.log(
    `${'figure'.padEnd(44)}${['ours ms', 'first', 'limit', 'met', 'peer ms', 'times', 'asked', 'met', '(limit)'].map((text) => text.padStart(9)).join('')}`,
  )
}

export function printFigure(measured: Measured): void {
  const { figure, oursMs, firstMs, peerMs, shortcutMs, error, difference } = measured
  if (oursMs === undefined) {
    console.log(`${figure.name.padEnd(44)} not measured: ${error}`)
    return
  }
  const { isWithin, isAhead } = judge(measured)
  const cells = [
    ms(oursMs),
    ms(firstMs),
    figure.limitMs === undefined ? '' : String(figure.limitMs),
    mark(isWithin),
    peerMs === undefined ? '' : ms(peerMs),
    peerMs === undefined ? '' : (peerMs / oursMs).toFixed(1),
    figure.asked === undefined ? '' : String(figure.asked.times),
    mark(isAhead),
    shortcutMs === undefined ? '' : ms(shortcutMs),
  ]
  console.log(
    `${figure.name.padEnd(44)}${cells.map((cell) => cell.padStart(9)).join('')}${difference === '' ? '' : `  ${difference}`}`,
  )
}

/** How quick this machine is by the peer, and what of the limits would be met on one as quick as
 *  that where they were set. */
export function printPace(measured: readonly Measured[]): void {
  const paces = measured.flatMap(({ figure, peerMs }) =>
    figure.peerThenMs === undefined || peerMs === undefined ? [] : [peerMs / figure.peerThenMs],
  )
  if (paces.length === 0) return
  const pace = median(paces)
  console.log(
    `\nThe peer takes ${pace.toFixed(2)} times what it took where the limits were set (median of ${paces.length} questions). Divided by that:`,
  )
  for (const { figure, oursMs } of measured) {
    if (figure.limitMs === undefined || oursMs === undefined) continue
    const isMet = oursMs / pace <= figure.limitMs
    console.log(
      `  ${figure.name.padEnd(42)}${ms(oursMs / pace).padStart(9)} of ${figure.limitMs}${isMet ? '' : '  NO'}`,
    )
  }
}

/** undefined: nothing is asked, or there is nothing to compare with. */
export function judge({ figure, oursMs, peerMs }: Measured): {
  isWithin: boolean | undefined
  isAhead: boolean | undefined
} {
  const { limitMs, asked } = figure
  if (oursMs === undefined) return { isWithin: false, isAhead: undefined }
  const isQuickEnough = asked?.enoughMs !== undefined && oursMs <= asked.enoughMs
  return {
    isWithin: limitMs === undefined ? undefined : oursMs <= limitMs,
    isAhead:
      asked === undefined || peerMs === undefined
        ? undefined
        : isQuickEnough || peerMs >= oursMs * asked.times,
  }
}

function mark(is: boolean | undefined): string {
  if (is === undefined) return ''
  return is ? 'yes' : 'NO'
}

export function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0)
}
