import { useEffect, useRef } from 'preact/hooks'
import { address } from '../../shared/address.ts'
import { nowMs } from '../../shared/clock.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { printOffset } from './parts/print.ts'
import { sectionPath } from './section-path.ts'
import { findSection, GROUPS, SECTIONS } from './sections.ts'
import { MANAGE } from './texts.ts'
import './manage.css'

/** Of all times on these pages, but for days of receipt. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Everything that is set up and looked after: a list of sections beside the chosen one. */
export function ManagePage() {
  const here = findSection(address.value.path)
  const nav = useRef<HTMLElement>(null)
  // On a narrow page the list is a line that scrolls.
  useEffect(() => {
    nav.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
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
        <p class="manage-zone">{MANAGE.zone(ZONE, printOffset(nowMs()))}</p>
      </nav>
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
