import { Button } from '../../../../shared/parts/button.tsx'
import { Dialog } from '../../../../shared/parts/dialog.tsx'
import { TEXTS } from '../../../../shared/texts.ts'
import { MANAGE } from '../../texts.ts'
import type { ShownKind } from '../object-kinds.ts'

const T = MANAGE.form
const MAX_NAMES = 10

type SureDialogProps = {
  readonly kind: ShownKind
  readonly names: readonly string[]
  readonly onSure: () => void
  readonly onClose: () => void
}

/** Says what will be removed, and what becomes of data. */
export function SureDialog({ kind, names, onSure, onClose }: SureDialogProps) {
  const [name = ''] = names
  const dataStays: Readonly<Record<string, string>> = T.dataStays
  return (
    <Dialog
      title={names.length === 1 ? T.sureTitle(name) : T.sureMany(names.length)}
      onClose={onClose}
    >
      {names.length > 1 && (
        <ul class="sure-names">
          {names.slice(0, MAX_NAMES).map((one) => (
            <li key={one}>{one}</li>
          ))}
          {names.length > MAX_NAMES && <li>…</li>}
        </ul>
      )}
      <p>{dataStays[kind.type] ?? T.sureText}</p>
      <div class="row">
        <Button look="danger" onClick={onSure}>
          {T.remove}
        </Button>
        <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
      </div>
    </Dialog>
  )
}
