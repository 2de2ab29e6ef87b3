import { expect, test } from 'vitest'
import { findPlaces } from '../../../web/console/shell/go-to/places.ts'

const place = (group: string, name: string) => ({ group, name, href: `/${group}/${name}` })
const PLACES = [
  place('Page', 'Search'),
  place('Manage', 'Listeners'),
  place('Manage', 'Silent logs'),
  place('Dashboard', 'Shop / Orders'),
  place('Saved search', 'Slow orders'),
]
const found = (typed: string) => findPlaces(PLACES, typed).map(({ name }) => name)

test('a name that begins so stands first, then one with a word that does', () => {
  expect(found('s')).toEqual(['Search', 'Silent logs', 'Shop / Orders', 'Slow orders', 'Listeners'])
  expect(found('orders')).toEqual(['Shop / Orders', 'Slow orders'])
})

test('every word counts, of the group too, in any letter case', () => {
  expect(found('SAVED slow')).toEqual(['Slow orders'])
  expect(found('manage')).toEqual(['Listeners', 'Silent logs'])
  expect(found('nowhere')).toEqual([])
})

test('nothing typed offers all in their order, a dozen at most', () => {
  expect(found('  ')).toEqual(PLACES.map(({ name }) => name))
  const many = Array.from({ length: 40 }, (_, at) => place('Page', `Page ${at}`))
  expect(findPlaces(many, '')).toHaveLength(12)
})
