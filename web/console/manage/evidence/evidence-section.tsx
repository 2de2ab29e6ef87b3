import { address, go } from '../../../shared/address.ts'
import { Tabs } from '../../../shared/parts/tabs.tsx'
import { withParameters } from '../../../shared/with-parameters.ts'
import { Section } from '../parts/section.tsx'
import { namesOf } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'
import { ExportPart } from './export-part.tsx'
import { EVIDENCE_TEXTS } from './texts.ts'
import { VerifyPart } from './verify-part.tsx'
import './evidence.css'

const T = EVIDENCE_TEXTS
const TABS = namesOf(T.tabs)
const PARTS = { verify: VerifyPart, export: ExportPart } as const

/** Whether anything was changed, and a file to check it elsewhere; `tab` in the address. */
export function EvidenceSection() {
  const { parameters, path } = address.value
  const tab = TABS.find((one) => one === parameters.get('tab')) ?? 'verify'
  const Part = PARTS[tab]
  return (
    <Section title={MANAGE.pages.evidence} intro={T.intro}>
      <Tabs
        label={MANAGE.pages.evidence}
        tabs={TABS.map((name) => ({ name, text: T.tabs[name] }))}
        chosen={tab}
        onChoose={(name) => go(withParameters(path, { tab: name === 'verify' ? '' : name }))}
      />
      <Part />
    </Section>
  )
}
