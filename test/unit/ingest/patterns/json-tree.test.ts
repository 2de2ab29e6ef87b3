import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonNode, readJsonObject } from '../../../../ingest/patterns/values/json-tree.ts'

/** What JSON.parse would give. */
function parsed(node: JsonNode): unknown {
  if (typeof node === 'string') return JSON.parse(node)
  return Object.fromEntries([...node].map(([key, inner]) => [key, parsed(inner)]))
}

describe('readJsonObject', () => {
  it('reads what JSON.parse reads, however it is spaced', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space)
        expect(parsed(readJsonObject(text) ?? '')).toEqual(JSON.parse(text))
      }),
    )
  })

  it('leaves what is very deep as text, and takes nothing else', () => {
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`
    expect(parsed(readJsonObject(deep) ?? '')).toEqual(JSON.parse(deep))
    expect(['[1]', '1', '{', '{"a":}', ''].map(readJsonObject)).toEqual(Array(5).fill(undefined))
  })
})
