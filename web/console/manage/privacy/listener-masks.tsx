import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { faultOf } from '../objects/form-fields.ts'
import type { ExtraProps } from '../objects/object-extras.ts'
import { SHOWN_KINDS } from '../objects/object-kinds.ts'
import { MaskTrial } from './mask-trial.tsx'
import { RuleList } from './rule-list.tsx'
import { parseRules, printRules, type RuleDraft } from './rule-text.ts'
import { PRIVACY_TEXTS } from './texts.ts'

const T = PRIVACY_TEXTS
const ARGUMENT = 'maskRules'
const ruleFault = (rule: string) => faultOf(SHOWN_KINDS.listener, ARGUMENT, rule)

/** What a listener hides before anything is stored, tried before it is saved. */
export function ListenerMasks({ object, onChanged }: ExtraProps) {
  const saved = object.arguments[ARGUMENT] ?? ''
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => parseRules(saved, true))
  const act = useAct(() => undefined)
  const text = printRules(rules, true)
  const isSound = text === '' || ruleFault(text) === undefined
  const save = () =>
    act.run(async () => {
      await runCommand('addListener', { name: object.name, update: 'true', [ARGUMENT]: text })
      toast(T.saved)
      onChanged()
    })
  return (
    <>
      <RuleList rules={rules} hasAction faultOf={ruleFault} onChange={setRules} />
      <SaveRow
        isChanged={text !== saved}
        isBusy={act.isBusy || !isSound}
        error={act.error}
        onSave={save}
      />
      {isSound && <MaskTrial listener={object.name} rules={text} />}
    </>
  )
}

type SaveRowProps = {
  readonly isChanged: boolean
  readonly isBusy: boolean
  readonly error: string | undefined
  readonly onSave: () => void
}

export function SaveRow({ isChanged, isBusy, error, onSave }: SaveRowProps) {
  return (
    <>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <div class="row">
        <Button look="main" disabled={isBusy || !isChanged} onClick={onSave}>
          {T.save}
        </Button>
        <span class="soft">{isChanged ? T.changed : T.unchanged}</span>
      </div>
    </>
  )
}
