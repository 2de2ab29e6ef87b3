import { useState } from 'preact/hooks'
import { address, changeParameters } from '../../../shared/address.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { type Rank, sortRows } from '../../../shared/sort/sort.ts'
import { SortHead } from '../../../shared/sort/sort-head.tsx'
import { useSort } from '../../../shared/sort/use-sort.ts'
import { useAct } from '../../../shared/use-act.ts'
import { withParameters } from '../../../shared/with-parameters.ts'
import { TableBox } from '../parts/table-box.tsx'
import { MANAGE } from '../texts.ts'
import { cellText, headOf, isLong } from './cell-text.ts'
import { removeObjects, setEnabled } from './change-objects.ts'
import { SureDialog } from './dialogs/sure-dialog.tsx'
import { type ListedObject, mayChoose } from './listed-object.ts'
import type { ExtraColumn, ObjectExtras } from './object-extras.ts'
import type { ShownKind } from './object-kinds.ts'
import './object-list.css'

const T = MANAGE.list

type ObjectListProps = {
  readonly kind: ShownKind
  /** Path of the section with its type. */
  readonly base: string
  readonly extras: ObjectExtras
  readonly objects: readonly ListedObject[]
  readonly onChanged: () => void
}

const useNone = () => []
/** In the address; no argument is called so in a list. */
const NAME = 'name'

export function ObjectList({ kind, base, extras, objects, onChanged }: ObjectListProps) {
  const { one, many, none } = MANAGE.types[kind.type]
  const find = address.value.parameters.get('find') ?? ''
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isSure, setSure] = useState(false)
  const more = (extras.useColumns ?? useNone)()
  const act = useAct(() => {
    setChosen(new Set())
    onChanged()
  })
  const { sort, onSort } = useSort()
  const found = objects.filter((object) => matches(object, find))
  const shown = sort === undefined ? found : sortRows(found, rankBy(sort.column, more), sort.isDown)
  const picked = shown.filter(({ name }) => chosen.has(name))
  const choosable = shown.filter(mayChoose)
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  return (
    <div class="objects">
      <div class="objects-head">
        <h1>{many}</h1>
        <span class="soft tabular">{T.count(shown.length, objects.length)}</span>
        {objects.length > 0 && (
          <input
            class="input objects-find"
            type="search"
            placeholder={T.find(many)}
            aria-label={T.find(many)}
            value={find}
            onInput={(event) =>
              changeParameters({ find: event.currentTarget.value }, { isNew: false })
            }
          />
        )}
        <span class="grow" />
        {picked.length > 0 && (
          <span class="row objects-chosen">
            <span class="soft">{T.chosen(picked.length)}</span>
            {kind.canBeDisabled && (
              <>
                <Button
                  disabled={act.isBusy}
                  onClick={() => act.run(() => setEnabled(kind, picked, true))}
                >
                  {T.enable}
                </Button>
                <Button
                  disabled={act.isBusy}
                  onClick={() => act.run(() => setEnabled(kind, picked, false))}
                >
                  {T.disable}
                </Button>
              </>
            )}
            <Button disabled={act.isBusy} onClick={() => setSure(true)}>
              {T.remove}
            </Button>
          </span>
        )}
        {objects.length > 0 && <NewLink {...{ base, one }} />}
      </div>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      {objects.length === 0 ? (
        <div class="objects-none">
          <p>{none}</p>
          <NewLink {...{ base, one }} />
        </div>
      ) : shown.length === 0 ? (
        <p class="objects-none">
          {T.nothingFound(find)} <a href={base}>{T.showAll}</a>
        </p>
      ) : (
        <TableBox label={many}>
          <thead>
            <tr>
              <th class="objects-choose">
                <input
                  type="checkbox"
                  aria-label={T.chooseAll}
                  checked={picked.length > 0 && picked.length === choosable.length}
                  onChange={(event) =>
                    setChosen(
                      new Set(event.currentTarget.checked ? choosable.map(({ name }) => name) : []),
                    )
                  }
                />
              </th>
              <SortHead column={NAME} text={T.name} {...{ sort, onSort }} />
              {more.map(({ name }) => (
                <SortHead key={name} column={name} {...{ sort, onSort }} />
              ))}
              {kind.columns.map((column) => (
                <SortHead
                  key={column}
                  column={column}
                  text={headOf(column)}
                  {...{ sort, onSort }}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((object) => (
              <tr key={object.name}>
                <td class="objects-choose">
                  <input
                    type="checkbox"
                    aria-label={T.choose(object.name)}
                    disabled={!mayChoose(object)}
                    checked={chosen.has(object.name)}
                    onChange={() => toggle(object.name)}
                  />
                </td>
                <td class="objects-name">
                  <a href={withParameters(base, { item: object.name })}>{object.name}</a>
                  {object.origin !== 'operator' && (
                    <span class="objects-origin">
                      {object.origin === 'product' ? T.builtIn : T.byData}
                    </span>
                  )}
                </td>
                {more.map((column) => (
                  <td key={column.name}>{column.of(object.name, object.arguments)}</td>
                ))}
                {kind.columns.map((column) => (
                  <td key={column} class={isLong(column) ? 'objects-wide' : undefined}>
                    {printValue(column, object.arguments[column] ?? '')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
      {extras.Below !== undefined && <extras.Below />}
      {isSure && (
        <SureDialog
          kind={kind}
          names={picked.map(({ name }) => name)}
          onClose={() => setSure(false)}
          onSure={() => {
            setSure(false)
            act.run(() => removeObjects(kind, picked))
          }}
        />
      )}
    </div>
  )
}

function NewLink({ base, one }: { readonly base: string; readonly one: string }) {
  return (
    <a class="button button-main" href={withParameters(base, { new: '1' })}>
      {T.add(one)}
    </a>
  )
}

function printValue(column: string, value: string) {
  if (column !== 'enabled') {
    const { text, isSoft, isCode } = cellText(column, value)
    if (isCode) return <code>{text}</code>
    return isSoft ? <span class="soft">{text}</span> : text
  }
  const isOn = value === 'true'
  return (
    <span class={`objects-state objects-state-${isOn ? 'on' : 'off'}`}>{isOn ? T.on : T.off}</span>
  )
}

/** What a row counts as in the order by a column: one of `more`, or an argument. */
function rankBy(column: string, more: readonly ExtraColumn[]): (object: ListedObject) => Rank {
  const known = more.find(({ name }) => name === column)
  return ({ name, arguments: given }) => {
    if (column === NAME) return name
    return known === undefined ? given[column] || null : known.rankOf(name, given)
  }
}

/** In its name or in any of its arguments; letter case does not count. */
function matches({ name, arguments: given }: ListedObject, find: string): boolean {
  const wanted = find.trim().toLowerCase()
  if (wanted === '') return true
  return [name, ...Object.values(given)].some((text) => text.toLowerCase().includes(wanted))
}
