import { address, BASE, go } from '../../shared/address.ts'
import { session } from '../../shared/api/session.ts'
import { signOut } from '../../shared/api/sign-in.ts'
import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { DENSITIES, density, THEMES, theme } from '../../shared/settings.ts'
import { TEXTS } from '../../shared/texts.ts'
import { toastFailure } from '../../shared/toast-failure.ts'
import { GoToButton } from './go-to/go-to-button.tsx'
import { findPage, PAGES } from './pages.ts'
import './bar.css'

export function Bar() {
  const here = findPage(address.value.path)
  const user = session.value?.displayName || (session.value?.user ?? '')
  return (
    <header class="bar">
      <a class="bar-name" href="/logeye/">
        {TEXTS.product}
      </a>
      <nav class="bar-pages grow" aria-label={TEXTS.shell.pages}>
        {PAGES.filter(({ isUnlisted }) => !isUnlisted).map((page) => (
          <a key={page.path} href={page.path} aria-current={page === here ? 'page' : undefined}>
            {page.name}
          </a>
        ))}
      </nav>
      <GoToButton />
      <Menu label={`${user} ▾`} title={TEXTS.shell.account(user)} items={accountItems()} />
    </header>
  )
}

function accountItems(): readonly MenuItem[] {
  const { themes, densities } = TEXTS.shell
  const chosen = [
    ...THEMES.map((name) => ({
      name: themes[name],
      isOn: theme.value === name,
      onChoose: () => {
        theme.value = name
      },
    })),
    ...DENSITIES.map((name) => ({
      name: densities[name],
      isOn: density.value === name,
      onChoose: () => {
        density.value = name
      },
    })),
  ]
  // While security is off there is no session to end.
  if (!session.value?.csrfToken) return chosen
  return [
    ...chosen,
    { name: TEXTS.shell.own, onChoose: () => go(`${BASE}/manage/own`) },
    { name: TEXTS.signIn.signOut, onChoose: () => void signOut().catch(toastFailure) },
  ]
}
