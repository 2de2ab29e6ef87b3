import { useState } from 'preact/hooks'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { Field } from '../../../../shared/parts/field.tsx'
import { toast } from '../../../../shared/parts/toast.tsx'
import { completeName } from '../../objects/completed/complete-list.ts'
import { useNames } from '../../objects/completed/existing-names.ts'
import { AskDialog } from './ask-dialog.tsx'
import { ARCHIVE_TEXTS } from './texts.ts'

const T = ARCHIVE_TEXTS.adopt
const PLACES = ['externalAccount'] as const

type AdoptDialogProps = { readonly onDone: () => void; readonly onClose: () => void }

/** Takes up what another product wrote. */
export function AdoptDialog({ onDone, onClose }: AdoptDialogProps) {
  const [directory, setDirectory] = useState('')
  const [account, setAccount] = useState('')
  const [entry, setEntry] = useState('')
  const accounts = useNames(PLACES)
  return (
    <AskDialog
      title={T.title}
      submit={T.submit}
      {...{ onDone, onClose }}
      onSubmit={async () => {
        const given = Object.entries({ directory, account }).filter(([, text]) => text !== '')
        await runCommand('adoptArchive', { entry, ...Object.fromEntries(given) })
        toast(T.asked)
      }}
    >
      <p>{T.intro}</p>
      <Field
        {...{ label: T.directory, name: 'directory', autofocus: true }}
        {...{ value: directory, onInput: setDirectory }}
      />
      <Field
        {...{
          label: T.account,
          help: T.accountHelp,
          name: 'account',
          examples: completeName(account, accounts),
        }}
        {...{ value: account, onInput: setAccount }}
      />
      <Field
        {...{ label: T.entry, help: T.entryHelp, name: 'entry', required: true }}
        {...{ value: entry, onInput: setEntry }}
      />
    </AskDialog>
  )
}
