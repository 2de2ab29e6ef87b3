import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { faultOf } from '../objects/form-fields.ts'
import type { ExtraProps } from '../objects/object-extras.ts'
import { SHOWN_KINDS } from '../objects/object-kinds.ts'
import { SaveRow } from './listener-masks.tsx'
import { RuleList } from './rule-list.tsx'
import { parseRules, printRules, type RuleDraft } from './rule-text.ts'
import { PRIVACY_TEXTS } from './texts.ts'

const T = PRIVACY_TEXTS
const ARGUMENT = 'masks'
const ruleFault = (rule: string) => faultOf(SHOWN_KINDS.policy, ARGUMENT, rule)

/** What people of a policy never see. */
export function PolicyMasks({ object, onChanged }: ExtraProps) {
  const saved = object.arguments[ARGUMENT] ?? ''
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => parseRules(saved, false))
  const act = useAct(() => undefined)
  if (object.origin === 'product') return <p class="soft">{T.builtIn}</p>
  const text = printRules(rules, false)
  const isSound = text === '' || ruleFault(text) === undefined
  const save = () =>
    act.run(async () => {
      const policyName = object.name
      await runCommand('securityPolicies', { action: 'edit', policyName, [ARGUMENT]: text })
      toast(T.masksSaved)
      onChanged()
    })
  return (
    <>
      <p class="soft">{T.viewIntro}</p>
      <RuleList rules={rules} hasAction={false} faultOf={ruleFault} onChange={setRules} />
      <SaveRow
        isChanged={text !== saved}
        isBusy={act.isBusy || !isSound}
        error={act.error}
        onSave={save}
      />
    </>
  )
}
