import type { ComponentChildren } from 'preact'
import { session } from '../../../shared/api/session.ts'
import { withParameters } from '../../../shared/with-parameters.ts'
import { sectionPath } from '../section-path.ts'
import { mayOpenSection, type SectionId } from '../section-rights.ts'

type SectionLinkProps = {
  readonly id: SectionId
  readonly parameters?: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}

/** A link into a section; for whoever may not open it, its words alone. */
export function SectionLink({ id, parameters = {}, children }: SectionLinkProps) {
  if (!mayOpenSection(id, session.value)) return <>{children}</>
  return <a href={withParameters(sectionPath(id), parameters)}>{children}</a>
}
