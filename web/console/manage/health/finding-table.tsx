import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { SectionLink } from '../parts/section-link.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { toWords } from '../parts/words.ts'
import type { SectionId } from '../section-rights.ts'
import { MANAGE } from '../texts.ts'
import { HEALTH_TEXTS as T } from './texts.ts'

const ORDER = ['bad', 'warn', 'ok'] as const
/** Where more is told of a check. */
const PAGES: Readonly<Record<string, SectionId>> = {
  ...{ rejected: 'rejected', 'silent logs': 'silent', templates: 'templates', disk: 'storage' },
  ...{ guard: 'listeners', tokens: 'listeners', portal: 'license', files: 'tasks' },
  ...{ 'public url': 'settings', security: 'users' },
}

/** What doctor finds, the worst first. */
export function FindingTable({ healthy, findings }: SdkAnswer<'doctor'>) {
  return (
    <>
      <Verdict
        healthy={healthy}
        warnings={findings.filter(({ grade }) => grade === 'warn').length}
      />
      <TableBox label={T.checks} look="cards">
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
                  <td class="objects-wide objects-long">
                    {text}
                    {advice !== undefined && (
                      <p class="soft">
                        {T.advice}: {advice}
                      </p>
                    )}
                  </td>
                  <td class="objects-acts">{grade !== 'ok' && <PageLink check={check} />}</td>
                </tr>
              )),
          )}
        </tbody>
      </TableBox>
    </>
  )
}

function PageLink({ check }: { readonly check: string }) {
  const id = PAGES[check]
  return id === undefined ? null : <SectionLink id={id}>{MANAGE.pages[id]}</SectionLink>
}

function Verdict({ healthy, warnings }: { readonly healthy: boolean; readonly warnings: number }) {
  if (!healthy) return <p class="health-bad">{T.bad}</p>
  if (warnings === 0) return <p class="health-good">{T.good}</p>
  return <p class="grade-warn">{T.warned(warnings)}</p>
}
