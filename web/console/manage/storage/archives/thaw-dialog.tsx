import { useState } from 'preact/hooks'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { nowMs } from '../../../../shared/clock.ts'
import { printCount } from '../../../../shared/format.ts'
import { Field } from '../../../../shared/parts/field.tsx'
import { toast } from '../../../../shared/parts/toast.tsx'
import type { Archive } from './archive-state.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { ARCHIVE_TEXTS } from './texts.ts'

const T = ARCHIVE_TEXTS.thaw
const DAY_MS = 86_400_000

type DialogProps = {
  readonly archive: Archive
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Brings a day back, or changes when it goes again. */
export function ThawDialog({ archive, onDone, onClose }: DialogProps) {
  const { number, day, events, thaw } = archive
  const [until, setUntil] = useState(thaw?.until ?? '')
  return (
    <AskDialog
      title={thaw === null ? T.title(day) : T.change}
      submit={thaw === null ? T.submit : T.change}
      {...{ onDone, onClose }}
      onSubmit={async () => {
        const given = { archive: String(number) }
        await runCommand('thaw', until.trim() === '' ? given : { ...given, until: until.trim() })
        toast(thaw === null ? T.asked(day) : T.changed)
      }}
    >
      {thaw === null && <p>{T.text(printCount(events))}</p>}
      <Field
        {...{ label: T.until, help: T.untilHelp, name: 'until', autofocus: true }}
        {...{ value: until, onInput: setUntil }}
      />
    </AskDialog>
  )
}

export function EndDialog({ archive, onDone, onClose }: DialogProps) {
  const { number, day, thaw } = archive
  return (
    <AskDialog
      title={T.endTitle(day)}
      submit={T.end}
      {...{ onDone, onClose }}
      onSubmit={async () => {
        // A moment that is over ends it; clocks of browsers run ahead.
        const until = new Date(nowMs() - DAY_MS).toISOString()
        await runCommand('thaw', { archive: String(number), until })
        toast(T.ended)
      }}
    >
      <p>{T.endText(printCount(thaw?.events ?? 0))}</p>
    </AskDialog>
  )
}
