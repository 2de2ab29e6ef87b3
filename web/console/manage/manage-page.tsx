import { useEffect, useRef } from 'preact/hooks'
import { address, go } from '../../shared/address.ts'
import { session } from '../../shared/api/session.ts'
import { nowMs } from '../../shared/clock.ts'
import { Banner } from '../../shared/parts/banner.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { printOffset } from './parts/print.ts'
import { Section as SectionFrame } from './parts/section.tsx'
import { sectionPath } from './section-path.ts'
import { mayOpenSection } from './section-rights.ts'
import { findSection, GROUPS, SECTIONS, type Section } from './sections.ts'
import { MANAGE } from './texts.ts'
import './manage.css'

/** Of all times on these pages, but for days of receipt. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The sections that whoever sits here may open, by group; the one he is in always. */
function listSections(here: Section | undefined) {
  return GROUPS.map((group) => ({
    group,
    sections: SECTIONS.filter(
      (section) =>
        section.group === group && (section === here || mayOpenSection(section.id, session.value)),
    ),
  })).filter(({ sections }) => sections.length > 0)
}

/** Everything that is set up and looked after: a list of sections beside the chosen one. */
export function ManagePage() {
  const here = findSection(address.value.path)
  const nav = useRef<HTMLElement>(null)
  // In a low window the list scrolls.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [here])
  return (
    <div class="manage">
      <nav ref={nav} class="manage-nav" aria-label={MANAGE.title}>
        {listSections(here).map(({ group, sections }) => (
          <section key={group}>
            <h2>{MANAGE.sections[group]}</h2>
            {sections.map((section) => (
              <a
                key={section.id}
                href={sectionPath(section.id)}
                aria-current={section === here ? 'page' : undefined}
              >
                {MANAGE.pages[section.id]}
              </a>
            ))}
          </section>
        ))}
        <Zone />
      </nav>
      <SectionChoice here={here} />
      <div class="manage-main">
        <Content here={here} />
      </div>
    </div>
  )
}

function Content({ here }: { readonly here: Section | undefined }) {
  if (here === undefined) return <Empty title={TEXTS.shell.unknownPage} />
  if (mayOpenSection(here.id, session.value)) return <here.Content key={here.id} />
  return (
    <SectionFrame title={MANAGE.pages[here.id]}>
      <Banner kind="error">{TEXTS.failure.noRight}</Banner>
    </SectionFrame>
  )
}

/** In place of the list where there is no room beside a section. */
function SectionChoice({ here }: { readonly here: Section | undefined }) {
  return (
    <div class="manage-choice">
      <select
        class="input"
        aria-label={MANAGE.title}
        value={here?.id ?? ''}
        onChange={(event) => {
          const chosen = SECTIONS.find(({ id }) => id === event.currentTarget.value)
          if (chosen !== undefined) go(sectionPath(chosen.id))
        }}
      >
        {here === undefined && <option value="" />}
        {listSections(here).map(({ group, sections }) => (
          <optgroup key={group} label={MANAGE.sections[group]}>
            {sections.map(({ id }) => (
              <option key={id} value={id}>
                {MANAGE.pages[id]}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <Zone />
    </div>
  )
}

function Zone() {
  return <p class="manage-zone">{MANAGE.zone(ZONE, printOffset(nowMs()))}</p>
}
