// Product settings: each is there always, so none is made or removed.
import { readAllSettings } from '../../../infra/metastore/settings/setting-changes.ts'
import { isSecretSetting, SETTING_NAMES, SETTINGS } from '../../../schemas/settings.ts'
import type { ObjectKind } from './object-kind.ts'

/** Its default is the zone of the machine: another machine may have another one. */
const DEPENDS_ON_MACHINE = 'system.timeZone'

export const setting: ObjectKind = {
  type: 'setting',
  command: 'settings',
  change: {},
  notOfIt: ['list', 'get', 'reset', 'security', 'timeZone'],
  isCaseSensitive: true,
  nameOf: ({ set = '' }) => (set.split('=')[0] ?? '').trim(),
  rename: () => undefined,
  readAll: async (transaction) => {
    const all = await readAllSettings(transaction)
    return SETTING_NAMES.filter((name) => !isSecretSetting(name)).map((name) => {
      const value = all[name] ?? ''
      const set = `${name}=${value}`
      if (name === DEPENDS_ON_MACHINE) return { name, arguments: { set }, isAlwaysThere: true }
      const isOwn = value !== SETTINGS[name].default
      return { name, arguments: { set }, ...(isOwn ? {} : { origin: 'product' as const }) }
    })
  },
  removal: { command: 'settings', arguments: (name) => ({ reset: name }) },
}
