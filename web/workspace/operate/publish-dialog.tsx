import { useState } from 'preact/hooks'
import type { ImportedBook } from '../../../schemas/portal/pricing/imported-book.ts'
import { priceBookSchema } from '../../../schemas/portal/pricing/price-book.ts'
import { CallError, type Fault } from '../../shared/api/call.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { FormError } from '../parts/form-error.tsx'
import { printDay } from '../parts/print.ts'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.priceBooks
const ROWS = 16
const MOST_FAULTS = 20

type PublishDialogProps = {
  /** The document to begin with. */
  readonly given: string
  /** With the id of the version. */
  readonly onDone: (id: string) => void
  readonly onClose: () => void
}

/** A document, checked; then what publishing it does; then it is published. */
export function PublishDialog({ given, onDone, onClose }: PublishDialogProps) {
  const [text, setText] = useState(given)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [checked, setChecked] = useState<Checked>()
  const act = useAct(() => undefined)
  const change = (typed: string) => {
    setText(typed)
    setFaults([])
    setChecked(undefined)
  }
  const check = () => {
    const read = readDocument(text)
    if ('faults' in read) setFaults(read.faults)
    else setChecked(read)
  }
  const publish = (body: unknown) =>
    act.run(async () => {
      try {
        const { id } = await ask<ImportedBook>('/price-books', { body })
        toast(T.published)
        onDone(id)
        onClose()
      } catch (error) {
        if (error instanceof CallError) setFaults(error.faults)
        throw error
      }
    })
  return (
    <Dialog
      title={checked === undefined ? T.add : T.sureTitle(checked.name, checked.version)}
      onClose={onClose}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (checked === undefined) check()
          else publish(checked.body)
        }}
      >
        {checked === undefined ? (
          <>
            <label class="field">
              <span class="soft">{T.document}</span>
              <textarea
                class="input"
                rows={ROWS}
                required
                spellcheck={false}
                aria-describedby="document-help"
                value={text}
                onInput={(event) => change(event.currentTarget.value)}
              />
            </label>
            <p id="document-help" class="field-help">
              {T.documentHelp}
            </p>
            <label class="field">
              <span class="soft">{T.file}</span>
              <input
                type="file"
                accept="application/json,.json"
                onChange={({ currentTarget: { files } }) => {
                  void files?.[0]?.text().then(change)
                }}
              />
            </label>
          </>
        ) : (
          <p>{T.sureText(checked.items, printDay(checked.from))}</p>
        )}
        <FormError error={act.error} />
        {faults.length > 0 && (
          <section aria-label={T.faults} role="alert">
            <p class="strong">{T.faults}</p>
            <ul>
              {faults.slice(0, MOST_FAULTS).map(({ pointer, message }) => (
                <li key={`${pointer} ${message}`}>
                  <code>{pointer}</code> {message}
                </li>
              ))}
            </ul>
          </section>
        )}
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy || text.trim() === ''}>
            {T.publish}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

type Checked = {
  readonly body: unknown
  readonly name: string
  readonly version: string
  readonly from: string
  readonly items: number
}

/** By its shape; what else is wrong the server says. */
function readDocument(text: string): Checked | { readonly faults: readonly Fault[] } {
  try {
    const body: unknown = JSON.parse(text)
    const parsed = priceBookSchema.safeParse(body)
    if (!parsed.success)
      return {
        faults: parsed.error.issues.map(({ path, message }) => ({
          pointer: `/${path.join('/')}`,
          message,
        })),
      }
    const { id: name, version, effectiveFrom: from, items } = parsed.data
    return { body, name, version, from, items: items.length }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { faults: [{ pointer: '', message: T.notJson(why) }] }
  }
}
