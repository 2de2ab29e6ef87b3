// Sizes, lengths of time and zones as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
const THREE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** 38.1 GiB: binary, as disks are filled and limits are given. */
export function printBytes(bytes: number): string {
  let step = 0
  let shown = bytes
  while (shown >= 1000 && step < UNITS.length - 1) {
    shown /= 1024
    step += 1
  }
  return `${THREE.format(shown)} ${UNITS[step]}`
}

/** 0.4 s, 12 s, 3 min 5 s, 2 h, 2 h 10 min. */
export function printLength(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? inTwo(minutes, 'min', seconds % 60, 's')
    : inTwo(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function inTwo(count: number, unit: string, rest: number, smaller: string): string {
  return rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${smaller}`
}

/** UTC+5:30, of the browser at that time. */
export function printOffset(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const far = Math.abs(minutes)
  const rest = far % 60 === 0 ? '' : `:${String(far % 60).padStart(2, '0')}`
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(far / 60)}${rest}`
}
