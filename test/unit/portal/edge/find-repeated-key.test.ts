import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRepeatedKey } from '../../../../portal/edge/find-repeated-key.ts'

const find = (text: string) => findRepeatedKey(text, JSON.parse(text))

describe('a key that stands twice', () => {
  it.each([
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"b":2,"a":{}}', '/a'],
    ['[{"a":1},{"b":[0,{"c":[],"c":1}]}]', '/1/b/1/c'],
    ['{"a/b~c":{"":1,"":2}}', '/a~1b~0c/'],
    ['{"a":[[1,2],[3,{"x":1,"\\u0078":2}]]}', '/a/1/1/x'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"a":"\\":\\":","a":1}', '/a'],
  ])('is found in %s', (text, pointer) => {
    expect(find(text)).toBe(pointer)
  })

  it.each([
    ...['{}', '[]', '""', '"a\\":b"', '1', 'null', '{"a":{"a":{"a":1}}}', '[{"a":1},{"a":1}]'],
    ...['{"a":"a","b":"a"}', '{"k":"\\":","l":"{\\"k\\":1,\\"k\\":2}"}', '{"a\\\\":1,"a":"\\\\"}'],
  ])('is not there in %s', (text) => {
    expect(find(text)).toBeUndefined()
  })

  it('is found in whatever object it was added to, and nowhere else', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(), (text, seed) => {
        const value: unknown = JSON.parse(text)
        for (const indent of [0, 2])
          expect(find(JSON.stringify(value, null, indent))).toBe(undefined)
        const { text: doubled, keys } = print(value, seed)
        expect(find(doubled) !== undefined).toBe(keys > 0)
      }),
    )
  })

  it('in a megabyte is found as quickly as it is read', () => {
    const text = `{"a":"${'\\"'.repeat(300_000)}","b":"${'x'.repeat(400_000)}\\":","b":1}`
    expect(find(text)).toBe('/b')
  })
})

it('is looked for in a body that is deeper than the stack', () => {
  const [depth, end] = [20_000, '{"a":1,"a":2}']
  for (const inner of ['1', end]) {
    const text = `${'{"a":['.repeat(depth)}${inner}${']}'.repeat(depth)}`
    expect(find(text)?.endsWith('/0/a')).toBe(inner === end ? true : undefined)
  }
})

/** JSON of a value in which one key of all objects, if there is one, stands twice. */
function print(value: unknown, seed: number): { text: string; keys: number } {
  const keys = countAll(value)
  let left = keys === 0 ? -1 : seed % keys
  const write = (one: unknown): string => {
    if (Array.isArray(one)) return `[${one.map(write).join(',')}]`
    if (typeof one !== 'object' || one === null) return JSON.stringify(one)
    const fields = Object.entries(one).flatMap(([key, inner]) => {
      const isDoubled = left-- === 0
      const field = `${JSON.stringify(key)} : ${write(inner)}`
      return isDoubled ? [field, `${JSON.stringify(key)}:0`] : [field]
    })
    return `{${fields.join(',')}}`
  }
  return { text: write(value), keys }
}

function countAll(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, inner) => sum + countAll(inner), own)
}
