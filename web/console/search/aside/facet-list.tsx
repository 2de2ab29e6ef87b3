import { useState } from 'preact/hooks'
import type { FacetAnswer } from '../../../../schemas/search-json/answers.ts'
import { printCount, printShort } from '../../../shared/format.ts'
import { Awaited } from '../../../shared/waiting/awaited.tsx'
import { Progress } from '../../../shared/waiting/progress.tsx'
import { clickValue } from '../acts.ts'
import { LEVEL_NAME, levelOf } from '../events/level.ts'
import { ValueMenu } from '../events/value-menu.tsx'
import { faultText } from '../fault-text.ts'
import { addedFacets, events, facets, readFacets, removedFacets } from '../run/search-run.ts'
import type { SearchView } from '../run/view.ts'
import { T } from '../texts.ts'
import './facet-list.css'

export function FacetList({ view }: { readonly view: SearchView }) {
  const { value, isBusy, error } = facets.state.value
  const { value: page, error: eventsFault } = events.state.value
  const found = page?.events ?? []
  const telling = value?.filter(isTelling)
  const isStale = eventsFault !== undefined || error !== undefined
  const change = (added: readonly string[], removed: readonly string[]) => {
    addedFacets.value = added
    removedFacets.value = removed
    void readFacets(view, found)
  }
  return (
    <aside
      class={`facets ${isStale ? 'facets-stale' : ''}`}
      id="facets"
      aria-label={T.facets}
      title={T.facetHelp}
    >
      <Progress isBusy={isBusy} label={T.counting} />
      {error !== undefined && <p class="facets-error">{faultText(error)}</p>}
      {value === undefined && events.state.value.isBusy && <Awaited lines={9} />}
      {telling?.map((facet) => (
        <Facet
          key={facet.column}
          facet={facet}
          onRemove={() =>
            change(
              addedFacets.value.filter((name) => name !== facet.column),
              [...removedFacets.value, facet.column],
            )
          }
        />
      ))}
      {telling?.length === 0 && found.length === 0 && !isBusy ? (
        <p class="facets-none">{T.noFacets}</p>
      ) : (
        <AddFacet
          names={columnNames(found)}
          onAdd={(name) =>
            change(
              [...addedFacets.value, name],
              removedFacets.value.filter((it) => it !== name),
            )
          }
        />
      )}
    </aside>
  )
}

function Facet({
  facet,
  onRemove,
}: {
  readonly facet: FacetAnswer
  readonly onRemove: () => void
}) {
  const { column, values, distinct, others, missing, isExact } = facet
  const all = values.reduce((sum, { count }) => sum + count, others + missing)
  const isLevel = LEVEL_NAME.test(column)
  return (
    <section class="facet" aria-label={column}>
      <h3 class="facet-head">
        <span class="facet-name">{column}</span>
        <span class="facet-count">
          {T.distinct(`${isExact ? '' : '≥ '}${printShort(distinct)}`)}
        </span>
        <button
          type="button"
          class="facet-remove"
          aria-label={T.removeFacet(column)}
          onClick={onRemove}
        >
          ×
        </button>
      </h3>
      <ul class="facet-values">
        {values.map(({ value, count }) => (
          <li key={value} class="facet-row">
            <button
              type="button"
              class={`facet-value ${isLevel ? `facet-${levelOf(value) ?? 'info'}` : ''}`}
              title={value}
              onClick={(event) => clickValue(event, column, value)}
            >
              <span class="facet-bar" style={{ width: `${(100 * count) / Math.max(1, all)}%` }} />
              <span class="facet-text">{value}</span>
              <span class="facet-number" title={printCount(count)}>
                {printShort(count)}
              </span>
            </button>
            <ValueMenu column={column} value={value} />
          </li>
        ))}
        <Rest name={T.others} count={others} />
        <Rest name={T.missing} count={missing} />
      </ul>
    </section>
  )
}

function Rest({ name, count }: { readonly name: string; readonly count: number }) {
  if (count === 0) return null
  return (
    <li class="facet-rest">
      <span class="facet-text">{name}</span>
      <span class="facet-number">{printShort(count)}</span>
    </li>
  )
}

function AddFacet({
  names,
  onAdd,
}: {
  readonly names: readonly string[]
  readonly onAdd: (name: string) => void
}) {
  const [text, setText] = useState('')
  return (
    <form
      class="facet-add"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onAdd(text.trim())
        setText('')
      }}
    >
      <input
        class="input"
        list="facet-names"
        aria-label={T.addFacetLabel}
        placeholder={T.addFacet}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <datalist id="facet-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  )
}

/** A column that no event has says nothing. */
function isTelling({ column, values }: FacetAnswer): boolean {
  return values.length > 0 || addedFacets.value.includes(column)
}

function columnNames(found: readonly { readonly columns: Record<string, string> }[]): string[] {
  const names = new Set(found.slice(0, 250).flatMap(({ columns }) => Object.keys(columns)))
  return [...names, 'source', 'folder'].sort()
}
