import { go } from '../../shared/address.ts'
import { session } from '../../shared/api/session.ts'
import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { withParameters } from '../../shared/with-parameters.ts'
import { sectionPath } from '../manage/section-path.ts'
import { mayOpenSection } from '../manage/section-rights.ts'
import { changeView } from './acts.ts'
import { exportItems } from './export-menu.tsx'
import { COMPARED, type SearchView } from './run/view.ts'
import { shareItems } from './share-menu.tsx'
import { T } from './texts.ts'

export function monitorPath(view: SearchView): string {
  return withParameters(sectionPath('monitors'), { new: '1', 'set.query': view.query })
}

function monitorItems(view: SearchView): MenuItem[] {
  if (!mayOpenSection('monitors', session.value)) return []
  return [{ name: T.monitor.help, onChoose: () => go(monitorPath(view)) }]
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
        ...monitorItems(view),
        ...of(T.compare.name, compareItems(view)),
        ...of(T.share, shareItems(view)),
        ...of(T.export, exportItems(view)),
        ...of(T.look, lookItems(view)),
      ]}
    />
  )
}
