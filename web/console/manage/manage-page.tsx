import { useEffect, useRef } from 'preact/hooks'
import { address, go } from '../../shared/address.ts'
import { nowMs } from '../../shared/clock.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { printOffset } from './parts/print.ts'
import { sectionPath } from './section-path.ts'
import { findSection, GROUPS, SECTIONS, type Section } from './sections.ts'
import { MANAGE } from './texts.ts'
import './manage.css'

/** Of all times on these pages, but for days of receipt. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

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
        {GROUPS.map((group) => (
          <section key={group}>
            <h2>{MANAGE.sections[group]}</h2>
            {SECTIONS.filter((section) => section.group === group).map((section) => (
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
        {here === undefined ? (
          <Empty title={TEXTS.shell.unknownPage} />
        ) : (
          <here.Content key={here.id} />
        )}
      </div>
    </div>
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
        {GROUPS.map((group) => (
          <optgroup key={group} label={MANAGE.sections[group]}>
            {SECTIONS.filter((section) => section.group === group).map(({ id }) => (
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
