import { address, go } from '../../../shared/address.ts'
import { Tabs } from '../../../shared/parts/tabs.tsx'
import { withParameters } from '../../../shared/with-parameters.ts'
import { Section } from '../parts/section.tsx'
import { namesOf } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'
import { ArchivesPart } from './archives/archives-part.tsx'
import { DeletionsPart } from './deletions-part.tsx'
import { DiskPart } from './disk-part.tsx'
import { HoldsPart } from './holds-part.tsx'
import { STORAGE_TEXTS } from './texts.ts'
import './storage.css'

const T = STORAGE_TEXTS
const TABS = namesOf(T.tabs)
const PARTS = {
  disk: DiskPart,
  archives: ArchivesPart,
  holds: HoldsPart,
  deletions: DeletionsPart,
} as const

/** What lies on disk and in archives, what must stay, what was deleted; `tab`: in the address. */
export function StorageSection() {
  const { parameters, path } = address.value
  const tab = TABS.find((one) => one === parameters.get('tab')) ?? 'disk'
  const Part = PARTS[tab]
  return (
    <Section title={MANAGE.pages.storage} intro={T.intro}>
      <Tabs
        label={MANAGE.pages.storage}
        tabs={TABS.map((name) => ({ name, text: T.tabs[name] }))}
        chosen={tab}
        onChoose={(name) => go(withParameters(path, { tab: name === 'disk' ? '' : name }))}
      />
      <Part />
    </Section>
  )
}
