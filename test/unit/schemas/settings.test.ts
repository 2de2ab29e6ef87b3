import { describe, expect, expectTypeOf, it } from 'vitest'
import { readSetting, SETTING_NAMES, SETTINGS } from '../../../schemas/settings.ts'

describe('a product setting', () => {
  it('is read as its schema says', () => {
    expect(readSetting('system.auditDays', '7')).toBe(7)
    expect(readSetting('widgets.searchAPI.maxInlineBytes', '1024')).toBe(1024)
    expect(readSetting('system.security', 'false')).toBe(false)
    expect(readSetting('system.timeZone', 'Asia/Tokyo')).toBe('Asia/Tokyo')
    expectTypeOf(readSetting('system.auditDays', '7')).toEqualTypeOf<number>()
    expectTypeOf(readSetting('system.security', 'true')).toEqualTypeOf<boolean>()
    expectTypeOf(readSetting('system.timeZone', 'UTC')).toEqualTypeOf<string>()
  })

  it('has its default where none is kept, and security is on unless it is switched off', () => {
    expect(readSetting('system.auditDays', undefined)).toBe(400)
    for (const kept of [undefined, 'true', '', 'off'])
      expect(readSetting('system.security', kept)).toBe(true)
  })

  it('has a default that its own check takes', () => {
    for (const name of SETTING_NAMES)
      expect(SETTINGS[name].value.parse(SETTINGS[name].default)).toBe(SETTINGS[name].default)
  })

  it.each([
    ['yyyyMMddHHmmss', true],
    ['d.M.yyyy H:m:s', true],
    ['yMMddHHmmss', false],
    ['yyyy-MM-dd Hmmss', false],
    [`yyyy-MM-dd HH:mm:ss ${'Hm'.repeat(20)}`, false],
  ])('of dates is a pattern that is read in one way: %s', (pattern, isTaken) => {
    expect(SETTINGS['system.dateFormat'].value.safeParse(pattern).success).toBe(isTaken)
  })

  it('must have a name that there is, or nothing compiles', () => {
    // @ts-expect-error: no such setting
    expect(() => readSetting('system.nope', '1')).toThrow(TypeError)
  })
})
