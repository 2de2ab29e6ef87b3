// Settings that send something away or drop entries of the audit log.
import type { SettingName } from '../../../schemas/settings.ts'
import { readAllSettings } from '../settings/setting-changes.ts'
import type { Concern, PathEntry, ReadPaths } from './port.ts'

const OF_AUDIT: Concern = { kind: 'operation', operation: 'system.audit' }

const CONCERNS: { readonly [N in SettingName]?: Concern } = {
  'system.evidenceTargets': OF_AUDIT,
  'system.evidenceHours': OF_AUDIT,
  'system.auditDays': OF_AUDIT,
  // The license key goes there.
  'system.portalUrl': { kind: 'administrator' },
}

export const readSettingPaths: ReadPaths = async (transaction) => {
  const all = await readAllSettings(transaction)
  return new Map(
    Object.entries(CONCERNS).map(([name, concern]): [string, PathEntry] => [
      `setting ${name}`,
      { mark: all[name] ?? '', name: `the setting ${name}`, concerns: () => [concern] },
    ]),
  )
}
