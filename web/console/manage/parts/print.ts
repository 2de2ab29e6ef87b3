// Sizes and lengths of time as people read them.

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

/** 0.4 s, 12 s, 3 min 5 s, 2 h 10 min. */
export function printLength(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
