import { useState } from 'preact/hooks'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { printCount } from '../../../../shared/format.ts'
import { Field } from '../../../../shared/parts/field.tsx'
import { toast } from '../../../../shared/parts/toast.tsx'
import { printBytes } from '../../parts/print.ts'
import type { Archive } from './archive-state.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { ARCHIVE_TEXTS } from './texts.ts'

const T = ARCHIVE_TEXTS.remove

type RemoveDialogProps = {
  readonly archive: Archive
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Where it is all that is left of the events, their number is typed. */
export function RemoveDialog({ archive, onDone, onClose }: RemoveDialogProps) {
  const { number, day, events, bytes, droppedAt, isForeign } = archive
  const [typed, setTyped] = useState('')
  const isLast = droppedAt !== null && !isForeign
  const isSure = !isLast || typed.trim().replaceAll(',', '') === String(events)
  return (
    <AskDialog
      title={T.title(day)}
      submit={T.submit}
      look="danger"
      isReady={isSure}
      {...{ onDone, onClose }}
      onSubmit={async () => {
        if (!isSure) return
        await runCommand('removeArchive', { archive: String(number) })
        toast(T.asked(day))
      }}
    >
      <div class="storage-warning">
        <p>
          {isForeign
            ? T.foreign
            : isLast
              ? T.last(printCount(events), printBytes(bytes))
              : T.stored(printCount(events))}
        </p>
      </div>
      {isLast && (
        <Field
          {...{ label: T.confirm(String(events)), name: 'confirm', autocomplete: 'off' }}
          {...{ autofocus: true, value: typed, onInput: setTyped }}
        />
      )}
    </AskDialog>
  )
}
