// Events of Windows whose elements have names that every object of JavaScript has.
import { expect, it } from 'vitest'
import { toEventJson } from '../../../../ingest/collect/windows/event-json.ts'

it('keeps elements of every name', () => {
  const leaf = (name: string) => ({ name, attributes: [], children: [`value of ${name}`] })
  const names = ['__proto__', 'constructor', 'toString', '__proto__']
  const root = { name: 'Event', attributes: [], children: names.map(leaf) }
  expect(JSON.stringify(toEventJson(root))).toBe(
    '{"Event":{"__proto__":"value of __proto__","constructor":"value of constructor","toString":"value of toString","__proto___1":"value of __proto__"}}',
  )
})
