import { useEffect, useRef } from 'preact/hooks'
import './app-image.css'

/** Twice its size on the page, for dense screens. */
const SIZE = 48
const DATA = /^data:(image\/(?:png|jpeg|webp));base64,(.+)$/

/** Drawn, since the policy of the pages lets no data address be a picture. */
export function AppImage({ image, name }: { readonly image: string; readonly name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const [, type, base64] = DATA.exec(image) ?? []
    const context = canvas.current?.getContext('2d')
    if (base64 === undefined || type === undefined || !context) return
    let isGone = false
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
    createImageBitmap(new Blob([bytes], { type })).then(
      (bitmap) => {
        if (!isGone) {
          const scale = SIZE / Math.max(bitmap.width, bitmap.height)
          const [width, height] = [bitmap.width * scale, bitmap.height * scale]
          context.clearRect(0, 0, SIZE, SIZE)
          context.drawImage(bitmap, (SIZE - width) / 2, (SIZE - height) / 2, width, height)
        }
        bitmap.close()
      },
      // No picture of a kind that this browser reads: the app has its name.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [image])
  return (
    <canvas
      ref={canvas}
      class="app-image"
      width={SIZE}
      height={SIZE}
      role="img"
      aria-label={name}
    />
  )
}
