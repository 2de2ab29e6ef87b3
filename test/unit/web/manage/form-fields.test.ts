import { describe, expect, it } from 'vitest'
import { fieldsOf, readGiven } from '../../../../web/console/manage/objects/form-fields.ts'
import { SHOWN_KINDS } from '../../../../web/console/manage/objects/object-kinds.ts'

const given = (type: 'monitor' | 'user', address: string) =>
  readGiven(new URLSearchParams(address), fieldsOf(SHOWN_KINDS[type]))

describe('what a link fills into a form', () => {
  it('fills in fields of the form', () => {
    expect(given('monitor', 'new=1&set.query=error&set.rule=count%20%3E%205')).toEqual({
      query: 'error',
      rule: 'count > 5',
    })
  })

  it('sends nothing that the form does not show', () => {
    // With it the form of a new one would change the one of this name.
    expect(given('monitor', 'set.name=web&set.update=true&set.verify=true')).toEqual({
      name: 'web',
    })
    expect(given('user', 'set.action=edit&set.constructor=x&set.__proto__=y')).toEqual({})
  })

  it('chooses no password', () => {
    expect(given('user', 'set.userName=anna&set.userPassword=known%20to%20me')).toEqual({
      userName: 'anna',
    })
  })
})

describe('how much a field holds', () => {
  const heldBy = (type: keyof typeof SHOWN_KINDS, name: string) =>
    fieldsOf(SHOWN_KINDS[type]).find((field) => field.name === name)?.holds

  it('is told by the kind of its value', () => {
    for (const [type, name] of [
      ['collectionPolicy', 'storageDays'],
      ['listener', 'sampledPercent'],
      ['listener', 'maxEventsPerSecond'],
      ['databaseAccount', 'port'],
    ] as const)
      expect(heldBy(type, name), name).toBe('few')
    for (const [type, name] of [
      ['collectionPolicy', 'storageMaxBytes'],
      ['maintenanceWindow', 'start'],
      ['log', 'charSet'],
      ['log', 'timeZone'],
    ] as const)
      expect(heldBy(type, name), name).toBe('some')
    expect(heldBy('log', 'name')).toBe('any')
    expect(heldBy('monitor', 'query')).toBe('any')
  })
})
