import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { printCount } from '../../../shared/format.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { copyText } from '../../../shared/parts/toast.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { TableBox } from '../parts/table-box.tsx'
import { namesOf } from '../parts/words.ts'
import { EVIDENCE_TEXTS } from './texts.ts'

const T = EVIDENCE_TEXTS.verify
const KINDS = namesOf(T.kinds)

type Told = SdkAnswer<'verify'>
type Finding = Told['findings'][number]

/** What a comparison found: the answer first, then what was read for it. */
export function Verified({ told }: { readonly told: Told }) {
  const { isUnchanged, findings, notes, publicKey } = told
  return (
    <>
      <p class={isUnchanged ? 'evidence-outcome health-good' : 'evidence-outcome health-bad'}>
        <span role={isUnchanged ? 'status' : 'alert'}>
          {isUnchanged ? T.unchanged : T.changed(printCount(findings.length))}
        </span>
      </p>
      <Read told={told} />
      {findings.length > 0 && <Findings findings={findings} />}
      {notes.length > 0 && (
        <section class="part">
          <h2>{T.notes}</h2>
          <ul class="evidence-notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
      <section class="part">
        <h2>{T.key}</h2>
        <div class="once">
          <code class="once-value">{publicKey}</code>
          <Button onClick={() => void copyText(publicKey, TEXTS.act.copied)}>{T.copy}</Button>
        </div>
        <p class="field-help">{T.keyHelp}</p>
      </section>
    </>
  )
}

function Read({ told }: { readonly told: Told }) {
  const { auditEntries, evidenceEntries, signedThrough, days, events, parts } = told
  return (
    <dl class="strip">
      <div>
        <dt>{T.auditEntries}</dt>
        <dd>{T.entries(printCount(auditEntries))}</dd>
      </div>
      <div>
        <dt>{T.evidenceEntries}</dt>
        <dd>
          {T.entries(printCount(evidenceEntries))},{' '}
          <span class="soft">{T.signedThrough(printCount(signedThrough))}</span>
        </dd>
      </div>
      <div>
        <dt>{T.days}</dt>
        <dd class="tabular">{printCount(days)}</dd>
      </div>
      <div>
        <dt>{T.events}</dt>
        <dd class="tabular">{printCount(events)}</dd>
      </div>
      <div>
        <dt>{T.parts}</dt>
        <dd class="tabular">{printCount(parts)}</dd>
      </div>
    </dl>
  )
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <section class="part">
      <h2>{T.findings}</h2>
      <TableBox label={T.findings}>
        <thead>
          <tr>
            <th>{T.what}</th>
            <th>{T.where}</th>
            <th class="number">{T.expected}</th>
            <th class="number">{T.found}</th>
            <th>{T.text}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding, at) => (
            <tr key={`${at} ${finding.text}`}>
              <td class="audit-refused">{kindOf(finding)}</td>
              <td class="objects-wide">{placeOf(finding)}</td>
              <td class="number">{countOf(finding.rowsExpected)}</td>
              <td class="number">{countOf(finding.rowsFound)}</td>
              <td class="objects-wide">{finding.text}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
    </section>
  )
}

function kindOf({ what }: Finding): string {
  const kind = KINDS.find((one) => one === what)
  return kind === undefined ? what : T.kinds[kind]
}

function placeOf({ entry, log, day, policy }: Finding): string {
  const parts = [
    entry === null ? '' : T.entry(printCount(entry)),
    log === '' ? T.hiddenLog : (log ?? ''),
    day ?? '',
    policy ?? '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function countOf(count: number | null): string {
  return count === null ? '' : printCount(count)
}
