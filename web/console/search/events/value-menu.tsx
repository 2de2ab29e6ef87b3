import { Menu } from '../../../shared/parts/menu.tsx'
import { copyText } from '../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { countColumn, currentView, filterBy, toggleColumn } from '../acts.ts'
import { T } from '../texts.ts'

/** All that can be done with a value; the likely act is the click on the value itself. */
export function ValueMenu({ column, value }: { readonly column: string; readonly value: string }) {
  const isShown = currentView().columns.includes(column)
  return (
    <Menu
      label="⋯"
      title={T.menu.of(column)}
      class="value-menu"
      items={[
        { name: T.menu.only, onChoose: () => filterBy(column, value) },
        { name: T.menu.not, onChoose: () => filterBy(column, value, { isNot: true }) },
        { name: T.menu.newTab, onChoose: () => filterBy(column, value, { isNewTab: true }) },
        { name: T.menu.count(column), onChoose: () => countColumn(column) },
        { name: isShown ? T.menu.hide : T.menu.show, onChoose: () => toggleColumn(column) },
        { name: T.menu.copy, onChoose: () => void copyText(value, TEXTS.act.copied) },
      ]}
    />
  )
}
