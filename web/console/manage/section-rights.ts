// Who may open which section of Manage.
import type { SessionTold } from '../../../schemas/public-calls/session.ts'
import type { Operation } from '../../../schemas/users.ts'
import type { MANAGE } from './texts.ts'

export type SectionId = keyof typeof MANAGE.pages

/** One of them is enough. Absent: the section shows whoever has signed in what he may view. */
const NEEDED: { readonly [Id in SectionId]?: readonly Operation[] } = {
  listeners: ['data.listeners'],
  templates: ['data.listeners'],
  tags: ['data.appTags'],
  collection: ['data.policies'],
  accounts: ['data.accounts'],
  tasks: ['data.tasks'],
  monitors: ['data.monitors'],
  alerts: ['data.monitors', 'system.alerts'],
  reports: ['data.monitors'],
  users: ['system.security'],
  groups: ['system.security'],
  policies: ['system.security'],
  rights: ['system.security'],
  privacy: ['data.listeners', 'system.security'],
  health: ['system.operate'],
  storage: ['system.operate'],
  silent: ['system.operate'],
  audit: ['system.audit'],
  evidence: ['system.operate'],
  settings: ['system.settings'],
  license: ['system.settings'],
}

export function mayOpenSection(
  id: SectionId,
  who: Pick<SessionTold, 'isAdministrator' | 'operations'> | undefined,
): boolean {
  const needed = NEEDED[id]
  if (needed === undefined || who?.isAdministrator === true) return true
  return needed.some((operation) => who?.operations.includes(operation))
}
