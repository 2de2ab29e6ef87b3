import { useState } from 'preact/hooks'
import type { Person } from '../../../schemas/portal/accounts.ts'
import { ask } from '../api/ask.ts'
import { SureDialog } from '../parts/dialogs.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.people

/** Offers to revoke what the person made, which would go on without them. */
export function RemoveDialog({
  person,
  organization,
  onDone,
  onClose,
}: {
  readonly person: Person
  /** Its name. */
  readonly organization: string
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const hasMade = Object.values(person.made).some((count) => count > 0)
  const [revokeKeys, setRevokeKeys] = useState(hasMade)
  return (
    <SureDialog
      title={T.removeTitle(person.name)}
      act={T.remove}
      onClose={onClose}
      work={async () => {
        await ask(`/people/${person.id}?revokeKeys=${revokeKeys}`, { method: 'DELETE' })
        onDone()
      }}
    >
      <p>{T.removeText(organization)}</p>
      {hasMade && (
        <>
          <p>{T.made(person.made)}</p>
          <label class="check">
            <input
              type="checkbox"
              checked={revokeKeys}
              onChange={(event) => setRevokeKeys(event.currentTarget.checked)}
            />
            {T.revoke}
          </label>
        </>
      )}
    </SureDialog>
  )
}
