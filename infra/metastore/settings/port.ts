// Product settings, from memory.
import type { SettingName, SettingValue } from '../../../schemas/settings.ts'

export interface Settings {
  /** The value in force, of the type that schemas/settings.ts says. */
  setting<N extends SettingName>(name: N): SettingValue<N>
}
