import { OPERATORS, parseRule } from '../../../../schemas/monitors/rule.ts'
import { ColumnInput } from '../../query-editor/column-input.tsx'
import type { ControlProps } from '../objects/object-extras.ts'
import { FieldsOrText } from '../parts/fields-or-text.tsx'
import { toWords } from '../parts/words.ts'
import {
  FIRST_RULES,
  findDraftFault,
  printDraft,
  type RuleDraft,
  type RuleKind,
  readDraft,
} from './rule-draft.ts'
import { RULE_TEXTS } from './rule-texts.ts'
import { sayRule } from './say-rule.ts'

const T = RULE_TEXTS

/** A rule by its kind and the fields of that, or as the text that these write. */
export function RuleField({ field, value, error, onInput }: ControlProps) {
  const draft = readDraft(value)
  const fault = draft === undefined ? undefined : findDraftFault(draft)
  const told = error === undefined ? undefined : fault === undefined ? error : sayFault(fault)
  const rule = parseRule(value === '' ? 'exists' : value.trim())
  return (
    <FieldsOrText
      {...{ label: toWords(field.name), name: field.name, value, usual: 'exists', onInput }}
      isReadable={draft !== undefined}
      isFaulty={told !== undefined}
      told={() => told ?? (draft === undefined ? field.help : T.help[draft.kind])}
      fields={({ id, toldBy }) =>
        draft && (
          <>
            <select
              {...{ id, name: field.name, class: 'input', value: draft.kind }}
              aria-describedby={toldBy}
              onChange={({ currentTarget }) =>
                onInput(printDraft(changeKind(draft, currentTarget)))
              }
            >
              {T.groups.map(({ name, kinds }) => (
                <optgroup key={name} label={name}>
                  {kinds.map((kind) => (
                    <option key={kind} value={kind}>
                      {T.kinds[kind]}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
            <Parts
              {...{ draft, toldBy }}
              invalid={error === undefined ? undefined : fault?.part}
              onChange={(changed) => onInput(printDraft(changed))}
            />
          </>
        )
      }
      below={(isText) => (
        <>
          {rule !== undefined && <span>{T.fails(sayRule(rule))}</span>}
          {!isText && <code>{value || 'exists'}</code>}
        </>
      )}
    />
  )
}

/** What was typed for one kind stays for another. */
function changeKind(draft: RuleDraft, chosen: { readonly value: string }): RuleDraft {
  const kinds = T.groups.flatMap(({ kinds }): readonly RuleKind[] => kinds)
  const first = FIRST_RULES[kinds.find((one) => one === chosen.value) ?? 'exists']
  return { ...first, column: draft.column, isEvery: draft.isEvery }
}

function sayFault({ part, isMissing }: NonNullable<ReturnType<typeof findDraftFault>>): string {
  return part === 'column' ? T.noColumn : isMissing ? T.noNumber : T.notNumber
}

type PartsProps = {
  readonly draft: RuleDraft
  readonly invalid: 'value' | 'column' | undefined
  readonly toldBy: string
  readonly onChange: (draft: RuleDraft) => void
}

function Parts({ draft, invalid, toldBy, onChange }: PartsProps) {
  const { kind, operator, value, column, isEvery } = draft
  const isCompared = kind === 'count' || kind === 'column' || kind === 'change'
  const isNew = kind === 'newShape' || kind === 'newValue'
  return (
    <>
      {(isCompared || kind === 'newValue') && (
        <div class="rule-parts">
          {(kind === 'column' || kind === 'newValue') && (
            <ColumnInput
              value={column}
              onInput={(typed) => onChange({ ...draft, column: typed })}
              input={{
                class: 'rule-column',
                'aria-label': T.column,
                'aria-invalid': invalid === 'column',
                'aria-describedby': toldBy,
                placeholder: T.column,
                onBlur: () =>
                  column !== column.trim() && onChange({ ...draft, column: column.trim() }),
              }}
            />
          )}
          {isCompared && (
            <>
              <select
                class="input rule-operator"
                aria-label={T.operator}
                value={operator}
                onChange={({ currentTarget }) =>
                  onChange({
                    ...draft,
                    operator: OPERATORS.find((one) => one === currentTarget.value) ?? operator,
                  })
                }
              >
                {OPERATORS.map((one) => (
                  <option key={one} value={one}>
                    {kind === 'count' ? T.counted[one] : T.compared[one]}
                  </option>
                ))}
              </select>
              <input
                class="input rule-value"
                inputmode="decimal"
                aria-label={T.number}
                aria-invalid={invalid === 'value'}
                aria-describedby={toldBy}
                autocomplete="off"
                value={value}
                onInput={(event) => onChange({ ...draft, value: event.currentTarget.value.trim() })}
              />
              {kind !== 'column' && <span class="soft">{kind === 'count' ? T.rows : '%'}</span>}
            </>
          )}
        </div>
      )}
      {isNew && (
        <label class="flag">
          <input
            type="checkbox"
            checked={isEvery}
            onChange={(event) => onChange({ ...draft, isEvery: event.currentTarget.checked })}
          />
          {T.every}
        </label>
      )}
    </>
  )
}
