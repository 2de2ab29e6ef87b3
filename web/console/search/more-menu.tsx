import { BASE, go } from '../../shared/address.ts'
import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { withParameters } from '../../shared/with-parameters.ts'
import { changeView } from './acts.ts'
import { exportItems } from './export-menu.tsx'
import { COMPARED, type SearchView } from './run/view.ts'
import { shareItems } from './share-menu.tsx'
import { T } from './texts.ts'

const MONITORS = `${BASE}/manage/monitors`

export function monitorPath(view: SearchView): string {
  return withParameters(MONITORS, { new: '1', 'set.query': view.query })
}

export function compareItems(view: SearchView): MenuItem[] {
  return [...COMPARED, undefined].map((name) => ({
    name: T.compare.with[name ?? 'none'],
    isOn: name === view.comparedWith,
    onChoose: () => changeView({ comparedWith: name }),
  }))
}

export function lookItems({ isWrapped, isFolded }: SearchView): MenuItem[] {
  return [
    { name: T.wrap, isOn: isWrapped, onChoose: () => changeView({ isWrapped: !isWrapped }) },
    { name: T.fold.name, isOn: isFolded, onChoose: () => changeView({ isFolded: !isFolded }) },
  ]
}

type MoreMenuProps = { readonly view: SearchView; readonly onSave: () => void }

/** On a phone: what has its own button elsewhere. */
export function MoreMenu({ view, onSave }: MoreMenuProps) {
  const of = (group: string, items: readonly MenuItem[]) =>
    items.map((item) => ({ ...item, group }))
  return (
    <Menu
      class={view.comparedWith === undefined ? '' : 'button-on'}
      label={`${T.more} ▾`}
      items={[
        { name: T.saved.keep, onChoose: onSave },
        { name: T.monitor.help, onChoose: () => go(monitorPath(view)) },
        ...of(T.compare.name, compareItems(view)),
        ...of(T.share, shareItems(view)),
        ...of(T.export, exportItems(view)),
        ...of(T.look, lookItems(view)),
      ]}
    />
  )
}
