import { Button } from '../../../../shared/parts/button.tsx'
import { Dialog } from '../../../../shared/parts/dialog.tsx'
import { copyText } from '../../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../../shared/texts.ts'
import { ListenerRecipes } from '../../listeners/listener-recipes.tsx'
import { toWords } from '../../parts/words.ts'
import { MANAGE } from '../../texts.ts'

const T = MANAGE.form

type OnceDialogProps = {
  readonly shownOnce: Readonly<Record<string, string>>
  /** Also shows how to send to it. */
  readonly isListener: boolean
  readonly onClose: () => void
}

export function OnceDialog({ shownOnce, isListener, onClose }: OnceDialogProps) {
  return (
    <Dialog title={T.once} onClose={onClose}>
      <p>{T.onceText}</p>
      {Object.entries(shownOnce).map(([name, value]) => (
        <div key={name} class="once">
          <span class="soft">{toWords(name)}</span>
          <code class="once-value">{value}</code>
          <Button onClick={() => void copyText(value, TEXTS.act.copied)}>{MANAGE.own.copy}</Button>
        </div>
      ))}
      {isListener && shownOnce.token !== undefined && <ListenerRecipes token={shownOnce.token} />}
      <div class="row">
        <Button look="main" onClick={onClose}>
          {TEXTS.act.close}
        </Button>
      </div>
    </Dialog>
  )
}
