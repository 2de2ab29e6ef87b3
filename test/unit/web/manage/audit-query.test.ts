import { expect, it } from 'vitest'
import {
  auditQuery,
  deedOf,
  isBareLook,
} from '../../../../web/console/manage/operate/audit-query.ts'

it('leaves out what was looked at, and none of what was refused', () => {
  const query = auditQuery(false)
  expect(query).toMatch(
    /^not \(\(result = done or result = search\.cancelled\) and \(.*\)\) in log\.System->audit$/,
  )
  expect(query).toContain('action = search.* or ')
  expect(query).toContain('action = sdk.list or ')
  for (const deed of ['add', 'remove', 'delete', 'export', 'replay', 'sign'])
    expect(query).not.toContain(`sdk.${deed}`)
  expect(auditQuery(true)).toBe('* in log.System->audit')
})

it.each([
  [{ action: 'sdk.settings', result: 'done', 'details.list': 'true' }, true],
  [{ action: 'sdk.ownSessions', result: 'done' }, true],
  [{ action: 'sdk.ownSessions', result: 'done', 'details.action': 'list' }, true],
  [{ action: 'sdk.ownSessions', result: 'done', 'details.action': 'endOthers' }, false],
  [{ action: 'sdk.secondFactor', result: 'done', 'details.action': 'show' }, true],
  [
    { action: 'sdk.apiToken', 'details.action': 'add', 'details.name': 'ci', result: 'done' },
    false,
  ],
  [
    { action: 'sdk.alerts', result: 'done', 'details.state': 'open', 'details.limit': '1000' },
    true,
  ],
  [{ action: 'sdk.alerts', result: 'done', 'details.id': '6' }, true],
  [
    { action: 'sdk.alerts', result: 'done', 'details.id': '6', 'details.acknowledge': 'true' },
    false,
  ],
  [
    { action: 'sdk.reports', result: 'done', 'details.name': 'Week', 'details.runNow': 'true' },
    false,
  ],
  [{ action: 'sdk.settings', result: 'done', 'details.set': 'search.maxRows=5' }, false],
  [{ action: 'sdk.settings', result: 'access.forbidden' }, false],
  [{ action: 'sdk.removeObject', result: 'done' }, false],
  [{ action: 'sign-in', result: 'done' }, false],
])('%o is a bare look: %s', (columns, isLook) => {
  expect(isBareLook(columns)).toBe(isLook)
})

it.each([
  [{ action: 'sdk.alerts', 'details.id': '6', 'details.muteUntil': '1h' }, 'muteUntil'],
  [{ action: 'sdk.apiToken', 'details.name': 'ci', 'details.action': 'add' }, 'add'],
  [{ action: 'sdk.addListener', 'details.name': 'Shelf' }, undefined],
  [{ action: 'session.begin' }, undefined],
])('the deed of %o is %s', (columns, deed) => {
  expect(deedOf(columns)).toBe(deed)
})
