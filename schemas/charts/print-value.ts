// Numbers as charts and single-number widgets show them. Pure.
import type { Unit } from '../dashboards/widget.ts'

export type ValueStyle = {
  readonly unit: Unit
  readonly suffix: string
  /** Null: as many as say something. */
  readonly decimals: number | null
}

type Step = readonly [size: number, name: string]

const SHORT: readonly Step[] = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]
const BYTES: readonly Step[] = [
  [2 ** 40, ' TiB'],
  [2 ** 30, ' GiB'],
  [2 ** 20, ' MiB'],
  [2 ** 10, ' KiB'],
  [0, ' B'],
]
const SECONDS: readonly Step[] = [
  [86_400, ' d'],
  [3600, ' h'],
  [60, ' min'],
  [1, ' s'],
  [0.001, ' ms'],
  [0, ' s'],
]

/** From this on an axis tells no single digit. */
const LONG = 100_000

/** Of an axis, where the room is small: 40T in place of 40,000,000,000,000. */
export function printShort(value: number, style: ValueStyle): string {
  const isLong = style.unit === 'none' && style.decimals === null && Math.abs(value) >= LONG
  return printValue(value, isLong ? { ...style, unit: 'short' } : style)
}

export function printValue(value: number, { unit, suffix, decimals }: ValueStyle): string {
  const behind = suffix === '' ? '' : ` ${suffix}`
  switch (unit) {
    case 'none':
      return `${digits(value, decimals, 6)}${behind}`
    case 'percent':
      return `${digits(value, decimals, 2)} %${behind}`
    case 'short':
      return `${stepped(value, SHORT, decimals)}${behind}`
    case 'bytes':
      return `${stepped(value, BYTES, decimals)}${behind}`
    case 'seconds':
      return `${stepped(value, SECONDS, decimals)}${behind}`
    case 'milliseconds':
      return `${stepped(value / 1000, SECONDS, decimals)}${behind}`
  }
}

function stepped(value: number, steps: readonly Step[], decimals: number | null): string {
  const size = Math.abs(value)
  const step = value === 0 ? undefined : steps.find(([from]) => size >= from)
  const [from, name] = step ?? [0, steps.find(([it]) => it === 0)?.[1] ?? '']
  const scaled = from === 0 ? value : value / from
  // Three digits say enough: 954 MiB, 1.21 GiB.
  const most = Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2
  return `${digits(scaled, decimals, most)}${name}`
}

/** `1,234,567.8`, as on every page. */
function digits(value: number, decimals: number | null, most: number): string {
  const rounded = decimals === null ? Number(value.toFixed(most)) : value
  const text = decimals === null ? plain(rounded) : value.toFixed(decimals)
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  const [whole = '', fraction] = text.replace(/^-/, '').split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const sign = text.startsWith('-') ? '\u2212' : ''
  return `${sign}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

function plain(value: number): string {
  return Math.abs(value) >= 1e15 ? value.toPrecision(6) : String(value)
}
