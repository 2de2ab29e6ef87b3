const WIDTH = 120
const HEIGHT = 8

/** Of a whole, from 0 to 1; `isFull`: there is no room left. */
export function ShareBar({ share, isFull = false }: { share: number; isFull?: boolean }) {
  const width = Math.max(share > 0 ? 1 : 0, Math.min(1, share) * WIDTH)
  return (
    <span class={isFull ? 'share share-full' : 'share'}>
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <rect width={width} height={HEIGHT} />
      </svg>
    </span>
  )
}
