import { describe, expect, it } from 'vitest'
import { refuseCharacters, skeletonOf } from '../../../schemas/names/name-look.ts'

describe('the skeleton of a name', () => {
  it.each([
    ['аdmin', 'admin'],
    ['аdmіn', 'admin'],
    ['ad\u200bmin', 'admin'],
    ['adrnin', 'admin'],
    ['αdmin', 'admin'],
    ['𝐚𝐝𝐦𝐢𝐧', 'admin'],
    ['ɑdmin', 'admin'],
    ['ａｄｍｉｎ', 'admin'],
    ['𝐀𝐃𝐌𝐈𝐍', 'admin'],
    ['ⓐⓓⓜⓘⓝ', 'admin'],
    ['ᵃᵈᵐⁱⁿ', 'admin'],
    ['ﬁnn', 'finn'],
    ['раура1', 'paypa1'],
    ['admin\u0301', 'admiń'],
  ])('%s is that of %s', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other))
  })

  it.each([
    ['иван', 'ivan'],
    ['田中', '中田'],
    ['ann', 'anne'],
    ['müller', 'muller'],
    ['anna', 'anne'],
    ['user0', 'usero'],
  ])('%s is not that of %s', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other))
  })
})

describe('characters of a name', () => {
  it.each([
    'иван',
    '田中',
    'たなか タロウ',
    '김철수',
    'Müller-Lüdenscheidt 2',
    'Отдел IT',
    'משה',
    'मोहन',
    'José',
    'ΔΗΜΟΣ',
    'web_01.prod@example',
    'user田中',
    'ՀայԿ',
    'ꓡꓲ',
  ])('%s are taken', (name) => {
    expect(refuseCharacters(name)).toBeUndefined()
  })

  it.each([
    ['ad\u200bmin', 'cannot be seen'],
    ['ad\u00admin', 'cannot be seen'],
    ['\u202eadmin', 'cannot be seen'],
    ['admin\u3164', 'cannot be seen'],
    ['ad\u00a0min', 'cannot be seen'],
    ['ad\u2800min', 'cannot be seen'],
    ['\ue000', 'cannot be seen'],
    ['аdmin', 'several scripts'],
    ['pаypal', 'several scripts'],
    ['αlpha', 'several scripts'],
    ['ꓮdmin', 'several scripts'],
  ])('%j are refused', (name, reason) => {
    expect(refuseCharacters(name)).toContain(reason)
  })
})
