import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { copyText } from '../../shared/parts/toast.tsx'
import { histogram } from './run/search-run.ts'
import { printView, type SearchView } from './run/view.ts'
import { T } from './texts.ts'

/** The address, as it is or with the times that its relative ones had when it was searched. */
export function shareItems(view: SearchView): MenuItem[] {
  const { start, end } = histogram.state.value.value?.histogram ?? { start: null, end: null }
  const copy = (shared: SearchView) =>
    void copyText(`${location.origin}${printView({ ...shared, isLive: false })}`, T.shareCopied)
  const items: MenuItem[] = [{ name: T.shareRelative, onChoose: () => copy(view) }]
  if (start !== null && end !== null)
    items.push({
      name: T.shareFixed,
      onChoose: () => copy({ ...view, range: { kind: 'times', start, end } }),
    })
  return items
}

export function ShareMenu({ view }: { readonly view: SearchView }) {
  return <Menu label={`${T.share} ▾`} items={shareItems(view)} />
}
