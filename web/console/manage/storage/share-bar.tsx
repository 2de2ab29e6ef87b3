import { fillOf } from '../../../shared/charts/series-class.ts'

const WIDTH = 120
const HEIGHT = 8

type ShareBarProps = {
  /** Of a whole, from 0 to 1. */
  readonly share: number
  /** There is no room left. */
  readonly isFull?: boolean
  /** Number of the series of a chart whose colour it has, from 0; -1: of none. */
  readonly series?: number
}

export function ShareBar({ share, isFull = false, series = -1 }: ShareBarProps) {
  const width = Math.max(share > 0 ? 1 : 0, Math.min(1, share) * WIDTH)
  return (
    <span class={isFull ? 'share share-full' : 'share'}>
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <rect class={series < 0 ? 'share-fill' : fillOf(series)} width={width} height={HEIGHT} />
      </svg>
    </span>
  )
}
