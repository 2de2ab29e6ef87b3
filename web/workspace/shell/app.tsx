// What stands around every page: sign-in, the navigation, the dialog of an ended session.
import { useEffect, useState } from 'preact/hooks'
import { address } from '../../shared/address.ts'
import { isEnded } from '../../shared/api/renewal.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { Toasts } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { session } from '../api/session.ts'
import { readSession, recheckSession } from '../api/sign-in.ts'
import { PasswordPage } from '../sign-in/password-page.tsx'
import { SessionDialog } from '../sign-in/session-dialog.tsx'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { WORKSPACE } from '../texts.ts'
import { useActing } from './acting.ts'
import { Navigation } from './navigation.tsx'
import { findPage } from './pages.ts'
import { PATHS } from './paths.ts'
import './app.css'

export function App() {
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    void readSession()
      .catch(() => undefined)
      .then(() => setKnown(true))
    const onSeen = () => {
      if (document.visibilityState === 'visible') void recheckSession()
    }
    document.addEventListener('visibilitychange', onSeen)
    return () => document.removeEventListener('visibilitychange', onSeen)
  }, [])
  useActing()
  const { path } = address.value
  if (path === PATHS.password) return <PasswordPage />
  if (!isKnown) return null
  if (session.value === undefined) return <SignInPage />
  const page = findPage(path)
  return (
    <div class="app">
      <a class="app-skip" href="#main">
        {TEXTS.shell.skip}
      </a>
      <Navigation />
      <main class="app-main" id="main" tabIndex={-1}>
        {page === undefined ? (
          <Empty title={TEXTS.shell.unknownPage}>
            <p class="soft">{WORKSPACE.noPage}</p>
            <a href={PATHS.overview}>{WORKSPACE.toOverview}</a>
          </Empty>
        ) : (
          <page.Content key={`${session.value.organization?.id} ${page.path}`} />
        )}
      </main>
      {isEnded.value && <SessionDialog />}
      <Toasts />
    </div>
  )
}
