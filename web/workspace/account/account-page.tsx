import { session } from '../api/session.ts'
import { Page } from '../parts/page.tsx'
import { WORKSPACE } from '../texts.ts'
import { OwnFactor } from './own-factor.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnSessions } from './own-sessions.tsx'

export function AccountPage() {
  const { person, organization, role } = session.value ?? {}
  return (
    <Page
      title={WORKSPACE.pages.account}
      intro={[
        person?.name,
        person?.email,
        role ? `${WORKSPACE.roles[role]}, ${organization?.name ?? ''}` : '',
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <div class="grid-2">
        <OwnPassword />
        <OwnFactor />
      </div>
      <OwnSessions />
    </Page>
  )
}
