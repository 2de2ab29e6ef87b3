import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { printCount } from '../../../shared/format.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { saveFile } from '../../../shared/save-file.ts'
import { useAct } from '../../../shared/use-act.ts'
import { SectionLink } from '../parts/section-link.tsx'
import { EVIDENCE_TEXTS } from './texts.ts'

const T = EVIDENCE_TEXTS.export
const FILE = 'evidence.jsonl'
const CHECK = `logeye verify-evidence ${FILE} --key <public key>`

/** The signed chain as a file, and how it is checked elsewhere. */
export function ExportPart() {
  const [isWithAudit, setWithAudit] = useState(false)
  const act = useAct(() => undefined)
  return (
    <section class="part">
      <p class="objects-intro">{T.intro}</p>
      <form
        class="evidence-form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            const text = await runCommand('exportEvidence', { audit: String(isWithAudit) })
            saveFile(FILE, text)
            toast(T.saved(T.lines(printCount(countLines(text)))))
          })
        }}
      >
        <div class="field">
          <label class="flag">
            <input
              type="checkbox"
              name="audit"
              checked={isWithAudit}
              onChange={(event) => setWithAudit(event.currentTarget.checked)}
            />
            {T.audit}
          </label>
          <p class="field-help">{T.auditHelp}</p>
        </div>
        {act.error !== undefined && (
          <p class="field-error" role="alert">
            {act.error}
          </p>
        )}
        <div class="row">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {T.save}
          </Button>
        </div>
      </form>
      <p>{T.onOthers}</p>
      <pre class="recipes-text">{CHECK}</pre>
      <p class="field-help">{T.keyFirst}</p>
      <p class="objects-intro">
        {T.ends} <SectionLink id="settings">{T.setEnds}</SectionLink>
      </p>
    </section>
  )
}

/** Without the first one, which says what the file is. */
function countLines(text: string): number {
  return text.split('\n').filter((line) => line !== '').length - 1
}
