import { describe, expect, it } from 'vitest'
import { completeList } from '../../../../web/console/manage/objects/completed/complete-list.ts'

describe('names behind a comma', () => {
  it('offers each that is not there yet, behind what is typed before', () => {
    expect(completeList('', ['shop', 'web'])).toEqual(['shop', 'web'])
    expect(completeList('shop,w', ['shop', 'web'])).toEqual(['shop,web'])
    expect(completeList('a, shop, ', ['shop', 'web'])).toEqual(['a, shop,web'])
  })

  it('offers none that a list with commas could not hold', () => {
    expect(completeList('', ['a,b', 'web'])).toEqual(['web'])
    expect(completeList('["a,b"', ['web'])).toEqual([])
  })
})
