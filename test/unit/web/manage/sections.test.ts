// Who is offered which section of Manage, against the rights that the commands behind it ask for.
import { describe, expect, it } from 'vitest'
import type { CommandEntry } from '../../../../schemas/sdk/argument.ts'
import { SDK_COMMANDS, type SdkCommandName } from '../../../../schemas/sdk/commands.ts'
import { OPERATIONS } from '../../../../schemas/users.ts'
import { mayOpenSection, type SectionId } from '../../../../web/console/manage/section-rights.ts'
import { MANAGE } from '../../../../web/console/manage/texts.ts'

/** What a section cannot do without: one of these commands. */
const COMMANDS: { readonly [Id in SectionId]?: readonly SdkCommandName[] } = {
  listeners: ['addListener'],
  templates: ['addTemplate'],
  tags: ['addAppTag'],
  collection: ['addCollectionPolicy'],
  accounts: ['addSSHAccount', 'addAlertTarget'],
  tasks: ['addScanTask', 'listTaskRuns'],
  monitors: ['addMonitor', 'monitors'],
  alerts: ['alerts'],
  reports: ['addReport', 'reports'],
  users: ['securityUsers'],
  policies: ['securityPolicies'],
  rights: ['setPermissions'],
  privacy: ['addListener', 'securityPolicies'],
  health: ['doctor', 'systemState'],
  storage: ['diskUsage', 'listHolds'],
  evidence: ['verify', 'exportEvidence'],
  settings: ['settings'],
  license: ['license'],
}
/** Their rights are not those of one command. */
const OTHERS: readonly SectionId[] = ['tree', 'rejected', 'silent', 'own', 'groups', 'audit']

describe('a section of Manage', () => {
  const ids = Object.keys(MANAGE.pages) as SectionId[]

  it('is in one of the two lists', () => {
    expect([...Object.keys(COMMANDS), ...OTHERS].sort()).toEqual([...ids].sort())
  })

  it.each(Object.entries(COMMANDS))('%s is offered to whoever may call %j', (id, commands) => {
    for (const operation of OPERATIONS) {
      const may = commands.some((command) => {
        const { operation: needed, otherOperation }: CommandEntry = SDK_COMMANDS[command]
        return needed === operation || otherOperation === operation
      })
      const who = { isAdministrator: false, operations: [operation] }
      expect(mayOpenSection(id as SectionId, who), operation).toBe(may)
    }
  })

  it('is offered to administrators, whichever it is', () => {
    for (const id of ids)
      expect(mayOpenSection(id, { isAdministrator: true, operations: [] })).toBe(true)
  })

  it('is offered to nobody else without a right, but for four', () => {
    const open = ids.filter((id) => mayOpenSection(id, { isAdministrator: false, operations: [] }))
    expect(open).toEqual(['tree', 'rejected', 'silent', 'own'])
  })
})
