import { useEffect, useState } from 'preact/hooks'
import type { Organization } from '../../../schemas/portal/accounts.ts'
import { address, go } from '../../shared/address.ts'
import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { THEMES, theme } from '../../shared/settings.ts'
import { TEXTS } from '../../shared/texts.ts'
import { toastFailure } from '../../shared/toast-failure.ts'
import { describeError } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { isSeller, session } from '../api/session.ts'
import { signOut } from '../api/sign-in.ts'
import type { Rows } from '../api/types.ts'
import { WORKSPACE } from '../texts.ts'
import { switchTo } from './acting.ts'
import { findPage, groupOf, nameOf, pagesOfNow } from './pages.ts'
import { PATHS } from './paths.ts'
import './navigation.css'

const T = WORKSPACE.shell
const GROUPS = ['sell', 'use', 'buy', 'integrate', 'organization'] as const
const SHOWN = 12

export function Navigation() {
  const [isOpen, setOpen] = useState(false)
  const here = findPage(address.value.path)
  const pages = pagesOfNow()
  const { person, role, organization } = session.value ?? {}
  const isActing = isSeller() && organization?.kind === 'customer'
  return (
    <header class={isOpen ? 'side side-open' : 'side'}>
      <div class={isActing ? 'side-head side-acting' : 'side-head'}>
        {isActing && <p class="side-for">{T.acting}</p>}
        <OrganizationSwitch />
        <button
          type="button"
          class="button button-plain side-toggle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? T.close : T.menu}
        </button>
      </div>
      <nav class="side-nav" aria-label={TEXTS.shell.pages} onClick={() => setOpen(false)}>
        {GROUPS.map((group) => {
          const own = pages.filter((page) => groupOf(page) === group)
          return own.length === 0 ? null : (
            <section key={group}>
              <h2>{WORKSPACE.groups[group]}</h2>
              {own.map((page) => (
                <a
                  key={page.path}
                  href={page.path}
                  aria-current={page === here ? 'page' : undefined}
                >
                  {nameOf(page)}
                </a>
              ))}
            </section>
          )
        })}
      </nav>
      <div class="side-foot">
        <Menu
          class="side-person"
          label={
            <span>
              {person?.name} ▾ <span class="side-role">{role ? WORKSPACE.roles[role] : ''}</span>
            </span>
          }
          title={T.account(`${person?.name ?? ''} ${role ? WORKSPACE.roles[role] : ''}`)}
          items={accountItems()}
        />
      </div>
    </header>
  )
}

/** For people of several organizations, and for those who sell to them. */
function OrganizationSwitch() {
  const [organizations, setOrganizations] = useState<readonly Organization[]>([])
  const here = session.value?.organization
  useEffect(() => {
    ask<Rows<Organization>>(`/organizations?limit=${SHOWN}`).then(
      ({ data }) => setOrganizations(data),
      () => undefined,
    )
  }, [])
  const name = here?.name ?? T.noOrganization
  const others = organizations.filter(({ id }) => id !== here?.id)
  if (others.length === 0) return <b class="side-name">{name}</b>
  const items: MenuItem[] = [
    { name, isOn: true, onChoose: () => undefined },
    ...others.map((other) => ({
      name: other.name,
      onChoose: () => {
        switchTo(other.id).catch((error: unknown) => toast(describeError(error)))
      },
    })),
    ...(isSeller() ? [{ name: T.allCustomers, onChoose: () => go(PATHS.customers) }] : []),
  ]
  return <Menu class="side-name" label={`${name} ▾`} title={T.actsFor(name)} items={items} />
}

function accountItems(): readonly MenuItem[] {
  return [
    { name: WORKSPACE.pages.account, onChoose: () => go(PATHS.account) },
    ...THEMES.map((name) => ({
      name: TEXTS.shell.themes[name],
      isOn: theme.value === name,
      onChoose: () => {
        theme.value = name
      },
    })),
    { name: TEXTS.signIn.signOut, onChoose: () => void signOut().catch(toastFailure) },
  ]
}
