// PNG of charts, for mails: SVG is drawn by resvg, which is WebAssembly without an install script
// and reads nothing but the text and the font that it is given (docs/decisions/0129).
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { readFont } from '../pdf/fonts.ts'

const WASM = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
/** Screens have two pixels for one. */
const ZOOM = 2
const FAMILY = 'Inter'

let loading: Promise<void> | undefined

export async function renderPng(svg: string): Promise<Uint8Array> {
  loading ??= readFile(WASM).then((bytes) => initWasm(bytes))
  await loading
  const picture = new Resvg(svg, {
    background: '#ffffff',
    fitTo: { mode: 'zoom', value: ZOOM },
    font: {
      fontBuffers: [readFont('regular'), readFont('bold')],
      ...{ defaultFontFamily: FAMILY, sansSerifFamily: FAMILY },
    },
  })
  try {
    const rendered = picture.render()
    try {
      return Uint8Array.from(rendered.asPng())
    } finally {
      rendered.free()
    }
  } finally {
    picture.free()
  }
}
