import { Section } from '../parts/section.tsx'
import { MANAGE } from '../texts.ts'
import { OwnFactor } from './own-factor.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { OwnTokens } from './own-tokens.tsx'

/** What everybody may do for himself. */
export function OwnSection() {
  return (
    <Section title={MANAGE.pages.own}>
      <OwnPassword />
      <OwnFactor />
      <OwnTokens />
      <OwnSessions />
    </Section>
  )
}
