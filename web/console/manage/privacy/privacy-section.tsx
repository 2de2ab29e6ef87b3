import { runCommand } from '../../../shared/api/sdk.ts'
import { session } from '../../../shared/api/session.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { withParameters } from '../../../shared/with-parameters.ts'
import { ENTRY_SEPARATOR } from '../objects/form-fields.ts'
import { Section } from '../parts/section.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { sectionPath } from '../section-path.ts'
import { mayOpenSection } from '../section-rights.ts'
import { MANAGE } from '../texts.ts'
import { PRIVACY_TEXTS } from './texts.ts'
import './privacy.css'

const T = PRIVACY_TEXTS

/** What is hidden where, with the way to change it: of the two places those that one may see to. */
export function PrivacySection() {
  return (
    <Section title={MANAGE.pages.privacy} intro={T.intro}>
      {mayOpenSection('listeners', session.value) && (
        <section class="part">
          <h2>{T.intake}</h2>
          <Hiding
            type="listener"
            argument="maskRules"
            one={T.listener}
            told={T.rules}
            none={T.noListener}
            pathOf={(item) => withParameters(sectionPath('listeners'), { item, tab: 'masks' })}
          />
        </section>
      )}
      {mayOpenSection('policies', session.value) && (
        <section class="part">
          <h2>{T.view}</h2>
          <p class="soft">{T.makePolicy}</p>
          <Hiding
            type="policy"
            argument="masks"
            one={T.policy}
            told={T.masks}
            none={T.noPolicy}
            pathOf={(item) => withParameters(sectionPath('policies'), { item, tab: 'masks' })}
          />
        </section>
      )}
    </Section>
  )
}

type HidingProps = {
  readonly type: 'listener' | 'policy'
  readonly argument: string
  /** Name of the first column, and of the second. */
  readonly one: string
  readonly told: string
  readonly none: string
  readonly pathOf: (name: string) => string
}

function Hiding({ type, argument, one, told, none, pathOf }: HidingProps) {
  const asked = useAsked(`hiding ${type}`, (signal) =>
    runCommand('list', { type, details: 'true' }, signal),
  )
  return (
    <AskedPart asked={asked}>
      {({ objects }) => {
        const shown = objects.filter(({ origin }) => origin !== 'product' || type === 'listener')
        if (shown.length === 0) return <p class="soft">{none}</p>
        return (
          <TableBox label={told}>
            <thead>
              <tr>
                <th>{one}</th>
                <th>{told}</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {shown.map(({ name, arguments: given = {} }) => {
                const rules = (given[argument] ?? '').split(ENTRY_SEPARATOR).filter(Boolean)
                return (
                  <tr key={name}>
                    <td class="objects-name">{name}</td>
                    <td class="objects-wide">
                      {rules.length === 0 ? (
                        <span class="soft">{T.noRules}</span>
                      ) : (
                        <span class="masks-list">
                          {rules.map((rule) => (
                            <code key={rule}>{rule}</code>
                          ))}
                        </span>
                      )}
                    </td>
                    <td class="objects-acts">
                      <a href={pathOf(name)} aria-label={T.editOf(name)}>
                        {T.edit}
                      </a>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </TableBox>
        )
      }}
    </AskedPart>
  )
}
