import { useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { printCount } from '../../../shared/format.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { useAct } from '../../../shared/use-act.ts'
import { completeName } from '../objects/completed/complete-list.ts'
import { useNames } from '../objects/completed/existing-names.ts'
import { printMoment } from '../parts/moment.tsx'
import { printBytes } from '../parts/print.ts'
import { STORAGE_TEXTS } from './texts.ts'
import './storage.css'

const T = STORAGE_TEXTS.deletions
const LOGS = ['log'] as const
const EMPTY = { log: '', query: '', startTime: '', endTime: '' }

type Given = Readonly<typeof EMPTY>

type DeleteDialogProps = {
  /** '' is asked for. */
  readonly log: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** First it counts; then the count is typed, and what was counted is deleted. */
export function DeleteDialog({ log, onDone, onClose }: DeleteDialogProps) {
  const [given, setGiven] = useState<Given>({ ...EMPTY, log })
  const [counted, setCounted] = useState<SdkAnswer<'deleteData'>>()
  const [typed, setTyped] = useState('')
  const logs = useNames(LOGS)
  const act = useAct(() => undefined)
  const change = (changed: Partial<Given>) => {
    setGiven({ ...given, ...changed })
    setCounted(undefined)
    setTyped('')
  }
  const ask = (dryRun: boolean) => {
    const filled = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''))
    return runCommand('deleteData', { ...filled, dryRun: String(dryRun) })
  }
  const count = () => act.run(async () => setCounted(await ask(true)))
  const remove = () =>
    act.run(async () => {
      const { events } = await ask(false)
      toast(T.done(printCount(events)))
      onDone()
      onClose()
    })
  const isSure = counted !== undefined && typed.trim().replaceAll(',', '') === `${counted.events}`
  return (
    <Dialog title={T.add} onClose={onClose}>
      <form
        class="storage-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure) remove()
          else count()
        }}
      >
        <Field
          label={T.log}
          help={T.logHelp}
          name="log"
          required
          examples={completeName(given.log, logs)}
          autofocus={log === ''}
          value={given.log}
          onInput={(text) => change({ log: text })}
        />
        <Field
          label={T.query}
          help={T.queryHelp}
          name="query"
          autofocus={log !== ''}
          value={given.query}
          onInput={(query) => change({ query })}
        />
        <div class="storage-two">
          <Field
            label={T.from}
            help={T.fromHelp}
            name="startTime"
            value={given.startTime}
            onInput={(startTime) => change({ startTime })}
          />
          <Field
            label={T.to}
            help={T.toHelp}
            name="endTime"
            value={given.endTime}
            onInput={(endTime) => change({ endTime })}
          />
        </div>
        {counted !== undefined && <Counted counted={counted} />}
        {counted !== undefined && counted.events > 0 && (
          <Field
            label={T.confirm(`${counted.events}`)}
            name="confirm"
            autocomplete="off"
            autofocus
            value={typed}
            onInput={setTyped}
          />
        )}
        {act.error !== undefined && (
          <p class="field-error" role="alert">
            {act.error}
          </p>
        )}
        <div class="row wrap">
          {counted === undefined || counted.events === 0 ? (
            <Button look="main" type="submit" disabled={act.isBusy || given.log.trim() === ''}>
              {T.count}
            </Button>
          ) : (
            <Button look="danger" type="submit" disabled={act.isBusy || !isSure}>
              {T.delete(printCount(counted.events))}
            </Button>
          )}
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What it would delete. */
function Counted({ counted }: { readonly counted: SdkAnswer<'deleteData'> }) {
  const { events, bytes, from, to, backups, archives, notes } = counted
  if (events === 0)
    return (
      <p role="status">
        {T.nothing} {notes.join(' ')}
      </p>
    )
  return (
    <div class="storage-warning" role="status">
      <p>
        <b>{T.would(printCount(events), printBytes(bytes))}</b>{' '}
        {from !== null && to !== null && T.span(printMoment(from), printMoment(to))}
      </p>
      <p>{T.ends}</p>
      {backups.length > 0 && <p>{T.backups(backups.join(', '))}</p>}
      {archives.length > 0 && <p>{T.archives(archives.join(', '))}</p>}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}
