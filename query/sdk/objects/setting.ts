// Product settings: each is there always, so none is made or removed.
import { readAllSettings } from '../../../infra/metastore/settings/setting-changes.ts'
import { SETTING_NAMES, SETTINGS } from '../../../schemas/settings.ts'
import type { ObjectKind } from './object-kind.ts'

/** Its default is the zone of the machine: another machine may have another one. */
const DEPENDS_ON_MACHINE = 'system.timeZone'

export const setting: ObjectKind = {
  type: 'setting',
  command: 'settings',
  change: {},
  isCaseSensitive: true,
  nameOf: ({ set = '' }) => (set.split('=')[0] ?? '').trim(),
  rename: () => undefined,
  readAll: async (transaction) => {
    const all = await readAllSettings(transaction)
    return SETTING_NAMES.map((name) => {
      const value = all[name] ?? ''
      const isOwn = value !== SETTINGS[name].default || name === DEPENDS_ON_MACHINE
      const described = { name, arguments: { set: `${name}=${value}` } }
      return isOwn ? described : { ...described, origin: 'product' as const }
    })
  },
  removal: { command: 'settings', arguments: (name) => ({ reset: name }) },
}
