import { expect, it } from 'vitest'
import { actionWords, settingWords, toWords } from '../../../../web/console/manage/parts/words.ts'

it.each([
  ['parentFolder', 'Parent folder'],
  ['ipMaskV6', 'IP mask v6'],
  ['sshAccount', 'SSH account'],
])('an argument %s is %s', (name, words) => {
  expect(toWords(name)).toBe(words)
})

it.each([
  ['sdk.addSSHAccount', 'Add SSH account'],
  ['sdk.deleteData', 'Delete data'],
  ['search.events', 'Search: events'],
  ['session.begin', 'Session: begin'],
  ['sign-in', 'Sign-in'],
])('an action %s is %s', (action, words) => {
  expect(actionWords(action)).toBe(words)
})

it('says what an action did, where its name says only to what', () => {
  expect(actionWords('sdk.alerts', 'muteUntil')).toBe('Alerts: mute until')
})

it('says a setting without its group', () => {
  expect(settingWords('widgets.searchAPI.maxNumOfRecords')).toBe('Search API: max num of records')
})
