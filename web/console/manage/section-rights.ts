// Who may open which section of Manage, and do what there.
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
  audit: ['system.audit'],
  evidence: ['system.operate'],
  settings: ['system.settings'],
  license: ['system.settings'],
}

type Who = Pick<SessionTold, 'isAdministrator' | 'operations'> | undefined

export function mayOpenSection(id: SectionId, who: Who): boolean {
  const needed = NEEDED[id]
  return needed === undefined || needed.some((operation) => mayDo(operation, who))
}

export function mayDo(operation: Operation, who: Who): boolean {
  return who?.isAdministrator === true || who?.operations.includes(operation) === true
}
