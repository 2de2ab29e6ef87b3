const KIBI = 1024

/** Round numbers from 0 up to at least `max`: 3 to 6 of them, the last one the end of the axis. */
export function ticksOf(max: number): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10)
  const count = Math.ceil(max / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}

/** Of what is counted: there is no half of it. */
export function countTicksOf(max: number): number[] {
  return ticksOf(max).filter(Number.isInteger)
}

/** Round in KiB, MiB and so on, as such numbers are printed. */
export function binaryTicksOf(max: number): number[] {
  const unit = max > KIBI ? KIBI ** Math.floor(Math.log(max) / Math.log(KIBI)) : 1
  return ticksOf(max / unit).map((tick) => tick * unit)
}
