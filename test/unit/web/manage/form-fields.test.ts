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

describe('the width of a field', () => {
  it('is that of what stands there', () => {
    const width = (type: 'monitor' | 'listener' | 'collectionPolicy', name: string) =>
      fieldsOf(SHOWN_KINDS[type]).find((field) => field.name === name)?.width
    expect(width('collectionPolicy', 'storageDays')).toBe('short')
    expect(width('listener', 'maxEventsPerSecond')).toBe('short')
    expect(width('listener', 'jsonParsingLevel')).toBe('short')
    expect(width('collectionPolicy', 'storageMaxBytes')).toBe('middle')
    expect(width('collectionPolicy', 'schedule')).toBe('middle')
    expect(width('listener', 'timeZone')).toBe('middle')
    expect(width('monitor', 'query')).toBe('long')
    expect(width('listener', 'allowedAddresses')).toBe('long')
  })
})

describe('a field that names another object', () => {
  it('knows of which types it is', () => {
    const named = Object.values(SHOWN_KINDS).flatMap((kind) =>
      fieldsOf(kind).flatMap(({ name, named }) =>
        named.length > 0 ? [`${kind.type}.${name}: ${named.join(' ')}`] : [],
      ),
    )
    expect(named).toMatchInlineSnapshot(`
      [
        "listener.parentFolder: folder",
        "listener.collectionPolicy: collectionPolicy",
        "listener.template: template",
        "collectionPolicy.archiveAccount: externalAccount",
        "monitor.owner: user",
        "report.owner: user",
        "folder.parentFolder: folder",
        "log.parentFolder: folder",
        "log.account: sshAccount externalAccount windowsShareAccount remoteProductAccount",
        "log.template: template",
        "log.collectionPolicy: collectionPolicy",
        "scanTask.account: sshAccount externalAccount windowsShareAccount",
        "scanTask.parentFolder: folder",
        "scanTask.collectionPolicy: collectionPolicy",
        "scanTask.template: template",
        "queryTask.account: databaseAccount",
        "queryTask.log: log",
        "user.policy: policy",
        "group.policy: policy",
      ]
    `)
  })
})
