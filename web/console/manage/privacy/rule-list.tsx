import { DETECTORS } from '../../../../schemas/masking/mask-rule.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { ACTIONS, printRule, type RuleDraft } from './rule-text.ts'
import { PRIVACY_TEXTS } from './texts.ts'
import './privacy.css'

const T = PRIVACY_TEXTS
const DEFAULT = { action: 'hash', by: '***', text: '' } as const

type RuleListProps = {
  readonly rules: readonly RuleDraft[]
  /** Whether a rule says what becomes of a value. */
  readonly hasAction: boolean
  /** Of each rule, what is wrong with it. */
  readonly faultOf: (rule: string) => string | undefined
  readonly onChange: (rules: readonly RuleDraft[]) => void
}

/** Ready rules as choices, and each rule with its parts. */
export function RuleList({ rules, hasAction, faultOf, onChange }: RuleListProps) {
  const add = (target: RuleDraft['target']) => onChange([...rules, { ...DEFAULT, target }])
  return (
    <>
      <fieldset class="rules-ready">
        <legend>{T.ready}</legend>
        {DETECTORS.map((detector) => {
          const isOn = rules.some(({ target }) => target === detector)
          return (
            <label key={detector} class="flag">
              <input
                type="checkbox"
                checked={isOn}
                onChange={() =>
                  isOn ? onChange(rules.filter(({ target }) => target !== detector)) : add(detector)
                }
              />
              {T.detectors[detector]}
            </label>
          )
        })}
      </fieldset>
      <div class="row wrap">
        <Button onClick={() => add('column')}>+ {T.addColumn}</Button>
        <Button onClick={() => add('pattern')}>+ {T.addPattern}</Button>
      </div>
      {rules.length === 0 ? (
        <p class="soft">{T.noneYet}</p>
      ) : (
        <section class="part" aria-label={T.rules}>
          <h2>{T.own}</h2>
          <ol class="rules">
            {rules.map((rule, index) => (
              <Rule
                key={index}
                rule={rule}
                hasAction={hasAction}
                fault={faultOf(printRule(rule, hasAction))}
                onChange={(changed) => onChange(rules.with(index, changed))}
                onRemove={() => onChange(rules.toSpliced(index, 1))}
              />
            ))}
          </ol>
          {hasAction && <p class="field-help">{T.actionsHelp}</p>}
        </section>
      )}
    </>
  )
}

type RuleProps = {
  readonly rule: RuleDraft
  readonly hasAction: boolean
  readonly fault: string | undefined
  readonly onChange: (rule: RuleDraft) => void
  readonly onRemove: () => void
}

function Rule({ rule, hasAction, fault, onChange, onRemove }: RuleProps) {
  const { action, by, target, text } = rule
  const isNamed = target === 'column' || target === 'pattern'
  return (
    <li class="rule">
      {hasAction && (
        <select
          class="input rule-action"
          aria-label={T.action}
          value={action}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...rule, action: ACTIONS.find((one) => one === value) ?? 'hash' })
          }
        >
          {ACTIONS.map((one) => (
            <option key={one} value={one}>
              {T.actions[one]}
            </option>
          ))}
        </select>
      )}
      {hasAction && action === 'replace' && (
        <input
          class="input rule-by"
          aria-label={T.by}
          value={by}
          onInput={(event) => onChange({ ...rule, by: event.currentTarget.value })}
        />
      )}
      <span>{isNamed ? T[target] : T.detectors[target]}</span>
      {isNamed && (
        <input
          class="input rule-text"
          aria-label={target === 'column' ? T.columnName : T.patternText}
          placeholder={target === 'column' ? T.columnName : T.patternText}
          aria-invalid={fault !== undefined}
          value={text}
          onInput={(event) => onChange({ ...rule, text: event.currentTarget.value })}
        />
      )}
      <span class="grow" />
      <Button look="plain" aria-label={T.remove(printRule(rule, hasAction))} onClick={onRemove}>
        ×
      </Button>
      {fault !== undefined && text !== '' && <p class="field-error rule-fault">{fault}</p>}
    </li>
  )
}
