// What stands around every page: sign-in, the bar, banners, the dialog of an ended session.
import { useEffect, useState } from 'preact/hooks'
import type { SignInWays } from '../../../schemas/public-calls/session.ts'
import { address } from '../../shared/address.ts'
import { isEnded } from '../../shared/api/renewal.ts'
import { session } from '../../shared/api/session.ts'
import { readSession, readWays, recheckSession } from '../../shared/api/sign-in.ts'
import { Banner } from '../../shared/parts/banner.tsx'
import { Toasts } from '../../shared/parts/toast.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { NextSessionDialog } from '../sign-in/next-session-dialog.tsx'
import { SessionDialog } from '../sign-in/session-dialog.tsx'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { Bar } from './bar.tsx'
import { LOAD_SEARCH, LoadSearch } from './load-search.ts'
import { findPage } from './pages.ts'
import './app.css'

export function App() {
  const [ways, setWays] = useState<SignInWays>()
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    const known = readSession().catch(() => undefined)
    const told = readWays().then(setWays, () => undefined)
    void Promise.all([known, told]).then(() => setKnown(true))
    const onSeen = () => {
      if (document.visibilityState === 'visible') void recheckSession()
    }
    document.addEventListener('visibilitychange', onSeen)
    return () => document.removeEventListener('visibilitychange', onSeen)
  }, [])
  if (!isKnown) return null
  if (session.value === undefined) return <SignInPage ways={ways} />
  if (address.value.path === LOAD_SEARCH) return <LoadSearch />
  const page = findPage(address.value.path)
  return (
    <div class="app">
      <Bar />
      {ways?.isSecurityOn === false && <Banner kind="warning">{TEXTS.shell.securityOff}</Banner>}
      {ways?.licenseWarning && <Banner kind="warning">{ways.licenseWarning}</Banner>}
      <main class="app-main">{page === undefined ? <NoPage /> : <page.Content />}</main>
      <NextSessionDialog />
      {isEnded.value && <SessionDialog ways={ways} />}
      <Toasts />
    </div>
  )
}

function NoPage() {
  return (
    <div class="app-none">
      <p>{TEXTS.shell.unknownPage}</p>
      <a href="/logeye/">{TEXTS.shell.toSearch}</a>
    </div>
  )
}
