// The productType of an event, by which it meets a template: a member of the event itself.
import { walkJson } from './json-walk.ts'
import { PlainView } from './plain-view.ts'

const PRODUCT_TYPE = 'productType'
const view = new PlainView()
const spare = new PlainView()

/** undefined: it names none. Of several the last counts, as in splitting. */
export function readProductType(bytes: Uint8Array, start: number, end: number): string | undefined {
  let depth = 0
  let isAwaited = false
  let found: string | undefined
  walkJson(bytes, start, end, {
    opened(at) {
      depth = at
      isAwaited = false
    },
    key(from, to, at) {
      depth = at
      isAwaited = at === 1 && plain(bytes, from, to) === PRODUCT_TYPE
    },
    text(from, to) {
      if (isAwaited && depth === 1) found = plain(bytes, from, to)
      isAwaited = false
    },
    scalar(from, to) {
      if (isAwaited && depth === 1) found = plain(bytes, from, to)
      isAwaited = false
    },
    isHidden: () => false,
    hide() {},
  })
  return found
}

function plain(bytes: Uint8Array, from: number, to: number): string {
  view.take(bytes, from, to)
  const shown = spare.unescape(view) ? spare : view
  return Buffer.from(shown.bytes.buffer, shown.bytes.byteOffset, shown.length).toString('utf8')
}
