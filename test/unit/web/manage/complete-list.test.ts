import { describe, expect, it } from 'vitest'
import {
  completeList,
  completeName,
  completeSteps,
  nameEach,
} from '../../../../web/console/manage/objects/completed/complete-list.ts'

describe('names behind a comma', () => {
  it('offers each that is not there yet, behind what is typed before', () => {
    expect(completeList('', ['shop', 'web'])).toEqual(['shop', 'web'])
    expect(completeList('shop,w', ['shop', 'web'])).toEqual(['shop,web'])
    expect(completeList('a, shop, ', ['shop', 'web'])).toEqual(['a, shop, web'])
  })

  it('offers none that a list with commas could not hold', () => {
    expect(completeList('', ['a,b', 'web'])).toEqual(['web'])
    expect(completeList('["a,b"', ['web'])).toEqual([])
  })
})

describe('names behind the times of an escalation', () => {
  const names = ['boss', 'team lead', 'a, b', 'say "x"']
  it.each([
    ['15m: ', ['15m: boss', '15m: team lead']],
    ['15m:te', ['15m:boss', '15m:team lead']],
    ['15m: team lead, 1h: b', ['15m: team lead, 1h: boss', '15m: team lead, 1h: team lead']],
    ['', []],
    ['15m', []],
    ['15m: team lead, 1h', []],
  ])('%j offers %j', (typed, offered) => {
    expect(completeSteps(typed, names)).toEqual(offered)
  })
})

describe('names of what exists', () => {
  it('are each there once, and of a user and a group of one name it says which', () => {
    const [user, group] = ['user', 'group'].map((type) => ({ type, name: 'ops' }))
    if (user === undefined || group === undefined) throw new Error('none')
    expect(nameEach([user, group, { type: 'user', name: 'eva' }])).toEqual([
      ...['user:ops', 'group:ops', 'eva'],
    ])
    const accounts = ['sshAccount', 'externalAccount'].map((type) => ({ type, name: 'shop' }))
    expect(nameEach(accounts)).toEqual(['shop'])
  })

  it('of very many are those that hold what is typed', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `Web->Log ${at}`)
    expect(completeName('', many)).toHaveLength(1000)
    expect(completeName('log 4999', many)).toEqual(['Web->Log 4999'])
    expect(completeList('a, LOG 4998', many)).toEqual(['a, Web->Log 4998'])
  })
})
