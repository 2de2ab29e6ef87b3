import { useState } from 'preact/hooks'
import type { SavedSearch } from '../../../../schemas/public-calls/saved-searches.ts'
import { addSearch, listSearches, removeSearch } from '../../../shared/api/saved-searches.ts'
import { useAsked } from '../../../shared/asked.ts'
import { printCount } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { useAct } from '../../../shared/use-act.ts'
import { changeView } from '../acts.ts'
import { recent } from '../run/recent.ts'
import { T } from '../texts.ts'
import { SaveDialog } from './save-dialog.tsx'
import { opened, openSearch } from './use-opened.ts'
import './saved.css'

const SHOWN = 100
const SHOWN_RECENT = 8

/** Saved searches, and beside them what this browser has run, found by a piece of them. */
export function SavedDialog({ onClose }: { readonly onClose: () => void }) {
  const [find, setFind] = useState('')
  const [renamed, setRenamed] = useState<SavedSearch>()
  const [removed, setRemoved] = useState<SavedSearch>()
  const asked = useAsked(find, (signal) => listSearches({ find, limit: SHOWN }, signal))
  const act = useAct(asked.again)
  const remove = (one: SavedSearch) =>
    act.run(async () => {
      await removeSearch(one)
      if (opened.value?.id === one.id) changeView({ saved: undefined }, false)
      setRemoved(one)
    })
  const undo = ({ name, description, isShared, search }: SavedSearch) =>
    act.run(async () => {
      await addSearch({ name, description, isShared, search })
      setRemoved(undefined)
    })
  const past = recent.value.filter((query) => query.toLowerCase().includes(find.toLowerCase()))
  if (renamed !== undefined)
    return (
      <SaveDialog
        of={renamed}
        onClose={() => {
          setRenamed(undefined)
          asked.again()
        }}
      />
    )
  return (
    <Dialog title={T.saved.title} onClose={onClose}>
      <Field
        {...{ label: T.saved.find, name: 'find', value: find, onInput: setFind }}
        autocomplete="off"
        autofocus
      />
      {act.error !== undefined && <Banner kind="error">{act.error}</Banner>}
      {removed !== undefined && (
        <p class="row" role="status">
          {T.saved.removed(removed.name)}
          {removed.isOwn && <Button onClick={() => undo(removed)}>{T.saved.undo}</Button>}
        </p>
      )}
      <AskedPart asked={asked}>
        {({ searches, total }) => (
          <section class="saved" aria-label={T.saved.list}>
            <h3>{T.saved.list}</h3>
            {searches.length === 0 && (
              <p class="soft">{find === '' ? T.saved.none : T.saved.noneFound}</p>
            )}
            <ul>
              {searches.map((one) => (
                <li key={one.id}>
                  <button
                    type="button"
                    class="saved-open"
                    onClick={() => {
                      openSearch(one)
                      onClose()
                    }}
                  >
                    <strong>{one.name}</strong>
                    <span class="soft"> {describe(one)}</span>
                    <code>{one.search.query || '*'}</code>
                  </button>
                  {one.mayChange && (
                    <>
                      <Button
                        look="plain"
                        aria-label={`${T.saved.rename}: ${one.name}`}
                        onClick={() => setRenamed(one)}
                      >
                        {T.saved.renameShort}
                      </Button>
                      <Button
                        look="plain"
                        aria-label={`${T.saved.remove}: ${one.name}`}
                        disabled={act.isBusy}
                        onClick={() => remove(one)}
                      >
                        {T.saved.remove}
                      </Button>
                    </>
                  )}
                </li>
              ))}
            </ul>
            {total > searches.length && (
              <p class="soft">{T.saved.more(printCount(total - searches.length))}</p>
            )}
          </section>
        )}
      </AskedPart>
      <section class="saved" aria-label={T.recent}>
        <h3>{T.recent}</h3>
        {past.length === 0 && <p class="soft">{find === '' ? T.noRecent : T.saved.noneFound}</p>}
        <ul>
          {past.slice(0, SHOWN_RECENT).map((query) => (
            <li key={query}>
              <button
                type="button"
                class="saved-open"
                onClick={() => {
                  changeView({ query, tab: undefined, saved: undefined })
                  onClose()
                }}
              >
                <code>{query}</code>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div class="row">
        <Button onClick={onClose}>{TEXTS.act.close}</Button>
      </div>
    </Dialog>
  )
}

function describe({ description, isOwn, isShared, owner }: SavedSearch): string {
  const whose = isOwn ? (isShared ? T.saved.shared : '') : T.saved.of(owner)
  return [whose, description].filter((text) => text !== '').join(' · ')
}
