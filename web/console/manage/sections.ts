// The sections of Manage. A further one is a line here and its name in texts.ts.
import type { ComponentType } from 'preact'
import { EvidenceSection } from './evidence/evidence-section.tsx'
import { HealthSection } from './health/health-section.tsx'
import { ListenersSection } from './listeners/listeners-section.ts'
import { AlertsSection } from './monitors/alerts-section.tsx'
import { MonitorsSection } from './monitors/monitors-section.ts'
import { makeObjectsSection } from './objects/objects-section.tsx'
import { AuditSection } from './operate/audit-section.tsx'
import { LicenseSection } from './operate/license-section.tsx'
import { RejectedSection } from './operate/rejected-section.tsx'
import { SettingsSection } from './operate/settings-section.tsx'
import { SilentSection } from './operate/silent-section.tsx'
import { OwnSection } from './own/own-section.tsx'
import { PoliciesSection } from './privacy/policies-section.ts'
import { PrivacySection } from './privacy/privacy-section.tsx'
import { ReportsSection } from './reports/reports-section.ts'
import { RightsSection } from './rights/rights-section.tsx'
import type { SectionId } from './section-rights.ts'
import { StorageSection } from './storage/storage-section.tsx'
import { TasksSection } from './tasks/tasks-section.tsx'
import { TreeSection } from './tree/tree-section.tsx'

export const GROUPS = ['data', 'people', 'operation'] as const
type Group = (typeof GROUPS)[number]

export type Section = {
  readonly id: SectionId
  readonly group: Group
  readonly Content: ComponentType
}

const section = (group: Group, id: SectionId, Content: ComponentType): Section => ({
  ...{ id, group, Content },
})

export const SECTIONS: readonly Section[] = [
  section('data', 'tree', TreeSection),
  section('data', 'listeners', ListenersSection),
  section('data', 'templates', makeObjectsSection(['template'])),
  section('data', 'tags', makeObjectsSection(['appTag'])),
  section('data', 'collection', makeObjectsSection(['collectionPolicy'])),
  section(
    'data',
    'accounts',
    makeObjectsSection([
      'sshAccount',
      'remoteProductAccount',
      'externalAccount',
      'windowsShareAccount',
      'databaseAccount',
      'alertTarget',
    ]),
  ),
  section('data', 'tasks', TasksSection),
  section('data', 'monitors', MonitorsSection),
  section('data', 'alerts', AlertsSection),
  section('data', 'reports', ReportsSection),
  section('people', 'users', makeObjectsSection(['user'])),
  section('people', 'groups', makeObjectsSection(['group'])),
  section('people', 'policies', PoliciesSection),
  section('people', 'rights', RightsSection),
  section('people', 'privacy', PrivacySection),
  section('people', 'own', OwnSection),
  section('operation', 'health', HealthSection),
  section('operation', 'storage', StorageSection),
  section('operation', 'silent', SilentSection),
  section('operation', 'rejected', RejectedSection),
  section('operation', 'audit', AuditSection),
  section('operation', 'evidence', EvidenceSection),
  section('operation', 'settings', SettingsSection),
  section('operation', 'license', LicenseSection),
]

/** The first one where the path names none. */
export function findSection(path: string): Section | undefined {
  const [, , , id] = path.split('/')
  return id === undefined || id === '' ? SECTIONS[0] : SECTIONS.find((section) => section.id === id)
}
