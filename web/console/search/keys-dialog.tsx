import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { T } from './texts.ts'
import './keys-dialog.css'

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={T.keysTitle} onClose={onClose}>
      <dl class="keys">
        {T.keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="row">
        <Button autofocus onClick={onClose}>
          {TEXTS.act.close}
        </Button>
      </div>
    </Dialog>
  )
}
