import { useState } from 'preact/hooks'
import type { SavedSearch } from '../../../../schemas/public-calls/saved-searches.ts'
import { addSearch, changeSearch, type SearchGiven } from '../../../shared/api/saved-searches.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { useAct } from '../../../shared/use-act.ts'
import { changeView } from '../acts.ts'
import type { SearchView } from '../run/view.ts'
import { T } from '../texts.ts'
import { keptOf } from './kept.ts'
import { opened } from './use-opened.ts'

export type SaveDialogProps = {
  /** What is saved; absent: name and description alone are changed. */
  readonly view?: SearchView
  /** That is there already. */
  readonly of: SavedSearch | undefined
  readonly onClose: () => void
}

/** A new saved search, or one that is changed or renamed. */
export function SaveDialog({ view, of, onClose }: SaveDialogProps) {
  const [name, setName] = useState(of?.name ?? '')
  const [description, setDescription] = useState(of?.description ?? '')
  const [isShared, setShared] = useState(of?.isShared ?? false)
  const act = useAct(() => undefined)
  const own = of?.mayChange ? of : undefined
  const given = {
    ...{ name, description, isShared },
    ...(view === undefined ? {} : { search: keptOf(view) }),
  }
  const run = (work: () => Promise<Partial<SavedSearch>>) =>
    act.run(async () => {
      show(await work(), view !== undefined)
      toast(T.saved.done(name))
      onClose()
    })
  const change = (one: SavedSearch, body: SearchGiven) => run(() => changeSearch(one, body))
  return (
    <Dialog title={view === undefined ? T.saved.rename : T.saved.save} onClose={onClose}>
      <form
        class="save-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (own === undefined) run(() => addSearch(given))
          else change(own, given)
        }}
      >
        <Field
          {...{ label: T.saved.name, name: 'name', value: name, onInput: setName }}
          error={act.error}
          required
          autofocus
        />
        <Field
          {...{ label: T.saved.description, name: 'description', value: description }}
          onInput={setDescription}
        />
        <label class="save-shared">
          <input
            type="checkbox"
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          {T.saved.share}
        </label>
        <div class="row">
          <Button type="submit" look="main" disabled={act.isBusy}>
            {own === undefined || view === undefined ? T.saved.keep : T.saved.keepOver(own.name)}
          </Button>
          {own !== undefined && view !== undefined && (
            <Button disabled={act.isBusy} onClick={() => run(() => addSearch(given))}>
              {T.saved.keepNew}
            </Button>
          )}
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** It is what the page shows from now on. */
function show(told: Partial<SavedSearch>, isShown: boolean): void {
  const { id, name, search, ...rest } = told
  if (id === undefined || name === undefined || search === undefined) return
  if (isShown || opened.value?.id === id) opened.value = { ...emptyOf(), ...rest, id, name, search }
  if (isShown) changeView({ saved: id }, false)
}

function emptyOf() {
  return {
    ...{ description: '', owner: '', changedAt: '', version: 1 },
    ...{ isShared: false, isOwn: true, mayChange: true },
  }
}
