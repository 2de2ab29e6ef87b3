import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Section } from '../parts/section.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { toWords } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'

const T = MANAGE.health
const ORDER = ['bad', 'warn', 'ok'] as const

/** What doctor finds, the worst first. */
export function HealthSection() {
  const asked = useAsked('doctor', (signal) => runCommand('doctor', {}, signal))
  return (
    <Section
      title={MANAGE.pages.health}
      acts={
        <Button disabled={asked.isBusy} onClick={asked.again}>
          {T.again}
        </Button>
      }
    >
      <AskedPart asked={asked}>
        {({ healthy, findings }) => (
          <>
            <p class={healthy ? 'health-good' : 'health-bad'}>
              {healthy ? goodText(findings) : T.bad}
            </p>
            <TableBox label={MANAGE.pages.health}>
              <tbody>
                {ORDER.flatMap((grade) =>
                  findings
                    .filter((finding) => finding.grade === grade)
                    .map(({ check, text, advice }) => (
                      <tr key={`${check} ${text}`}>
                        <td>
                          <span class={`grade grade-${grade}`}>{T.grades[grade]}</span>
                        </td>
                        <td class="objects-name">{toWords(check)}</td>
                        <td class="objects-wide">
                          {text}
                          {advice !== undefined && (
                            <p class="soft">
                              {T.advice}: {advice}
                            </p>
                          )}
                        </td>
                      </tr>
                    )),
                )}
              </tbody>
            </TableBox>
          </>
        )}
      </AskedPart>
    </Section>
  )
}

function goodText(findings: readonly { readonly grade: string }[]): string {
  return findings.some(({ grade }) => grade === 'warn') ? T.warned : T.good
}
