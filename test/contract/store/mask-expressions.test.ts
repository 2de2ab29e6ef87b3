// What the store shows of a text to users from whom a policy hides values: single texts, and random
// JSON with planted values. Arrays and objects below the parsing level are stored as such texts.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTextHiding } from '../../../query/language/compile/plan/masked-texts.ts'
import { SqlParams } from '../../../query/language/compile/sql-params.ts'
import { readViewMasks } from '../../../schemas/masking/view-masks.ts'
import { series } from '../../support/run/tier.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'

let engine: SharedStore
beforeAll(async () => {
  engine = await openSharedStore()
})
afterAll(() => engine?.stop())

/** The texts of columns of this name as they are shown. */
async function show(
  masks: readonly string[],
  texts: readonly string[],
  name = 'items',
): Promise<string[]> {
  const params = new SqlParams()
  const hiding = makeTextHiding(readViewMasks(masks), params)
  const list = params.add(texts, 'Array(String)')
  const names = `arrayMap(text -> ${params.text(name)}, ${list})`
  const [row] = await engine.store.query<{ shown: string[] }>({
    sql: `SELECT ${hiding.hideAll(`arrayMap(text -> toValidUTF8(text), ${list})`, names)} AS shown`,
    params: params.values(),
  })
  return row?.shown ?? []
}

/** Of one query, within the memory that it may take. */
const TEXTS_A_QUERY = 1000

async function showAll(masks: readonly string[], texts: readonly string[]): Promise<string[]> {
  const shown: string[] = []
  for (let at = 0; at < texts.length; at += TEXTS_A_QUERY)
    shown.push(...(await show(masks, texts.slice(at, at + TEXTS_A_QUERY))))
  return shown
}

describe('a hidden name in a text', () => {
  it.each<[text: string, shown: string]>([
    ['[{"pin":"x","a":1}]', '[{"pin":"***","a":1}]'],
    ['{"a":1,"pin":12.50}', '{"a":1,"pin":"***"}'],
    ['{"pin":null,"a":true}', '{"pin":"***","a":true}'],
    ['{ "PIN" : "x" , "a" : 1 }', '{ "PIN" : "***" , "a" : 1 }'],
    ['{"pin":"a\\"b,}","b":2}', '{"pin":"***","b":2}'],
    ['{"pin":["x", 2, "]"],"b":2}', '{"pin":"***","b":2}'],
    ['{"pin":[],"b":{}}', '{"pin":"***","b":{}}'],
    ['{"pin":{"x":"}","y":[1]},"b":2}', '{"pin":"***","b":2}'],
    ['{"pin":"{\\"pin\\":1}","b":2}', '{"pin":"***","b":2}'],
    ['[[{"pin":"x"}],[{"pin":"y"}]]', '[[{"pin":"***"}],[{"pin":"***"}]]'],
    ['{"a.pin":1,"pin.b":2,"a.pin.b":3}', '{"a.pin":"***","pin.b":"***","a.pin.b":"***"}'],
    ['{"a\\"b.pin":1,"c":2}', '{"a\\"b.pin":"***","c":2}'],
    ['{"a\\nb.pin":1,"c":2}', '{"a\\nb.pin":"***","c":2}'],
    ['paid {"pin": "x"} in full', 'paid {"pin": "***"} in full'],
    ['x "pin": abc', 'x "pin": "***"'],
    ['{\n  "pin":\n    "x"\n}', '{\n  "pin":\n    "***"\n}'],
  ])('loses its value: %s', async (text, shown) => {
    expect(await show(['column pin'], [text])).toEqual([shown])
  })

  it.each([
    '{"pin":{"a":{"b":{"c":"x"}}}}',
    '{"pin":[[["x"]]]}',
    '{"pin":{"a":[{"b":1}]}}',
    '{"p\\u0069n":"x"}',
    '{"\\u0070in":"x"}',
    '{"t":"{\\"pin\\":\\"x\\"}"}',
    '{"t":"{\\"pin\\" : 1}"}',
    '{"t":"{\\"pin\\"\\n:1}"}',
    '{"t":"{\\"a.pin\\":1}"}',
    '{"t":"{\\\\\\"pin\\\\\\":1}"}',
    '{"t":"{\\u0022pin\\u0022:1}"}',
    '{"t":"{\\"p\\\\u0069n\\":1}"}',
    '{"t":"{\\"pin\\"\\u003a1}"}',
    '"pin":"pin":"x"',
    '{"pin":"x',
    '{"pin":["x"',
    '{"pin":"x" y}',
    'say "pin": x y',
  ])('hides the whole text: %s', async (text) => {
    expect(await show(['column pin'], [text])).toEqual(['***'])
  })

  it('changes no other text', async () => {
    const texts = [
      'say \\"hi\\": ok',
      '{"pinned":1,"spin":2,"a":"pin"}',
      'caf\\u00e9 "x"',
      '{"a":"pin","b":[ "pin" , 1.10 ]}',
      'pin: x',
      '{"a":{"b":[{"c":1e400}]}}',
      '',
      '***',
      'x\u001by',
    ]
    expect(await show(['column pin'], texts)).toEqual(texts)
  })

  it('of several levels is hidden where the others are in the text or in the name', async () => {
    const texts = [
      '{"user":{"pin":1},"a":2}',
      '{"user":{"name":"a"},"card":{"pin":1}}',
      '{"card":{"pin":1}}',
      '{"user.pin":1}',
      '{"us\\u0065r":{"pin":1}}',
    ]
    expect(await show(['column user.pin'], texts)).toEqual([
      '{"user":{"pin":"***"},"a":2}',
      '{"user":{"name":"a"},"card":{"pin":"***"}}',
      '{"card":{"pin":1}}',
      '{"user.pin":"***"}',
      '***',
    ])
    expect(await show(['column user.pin'], ['[{"pin":1}]'], 'User')).toEqual(['[{"pin":"***"}]'])
  })

  it('may be written with the signs of arrays', async () => {
    for (const mask of ['column items[].pin', 'column items[0].pin', 'column items.pin'])
      expect(await show([mask], ['[{"pin":1}]'])).toEqual(['[{"pin":"***"}]'])
  })

  it.each<[mask: string, name: string]>([
    ['αΣ', 'ΑΣ'],
    ['αΣ', 'ας'],
    ['İx', 'i\u0307X'],
    ['i\u0307x', 'İx'],
    ['straße', 'STRAẞE'],
    ['a b', 'A B'],
    ['a"b', 'a\\"b'],
    ['a/b', 'a\\/b'],
    ['a+(b', 'A+(b'],
    ['名前', '名前'],
  ])('is found in any letter case: %s as %s', async (mask, name) => {
    expect(await show([`column ${mask}`], [`{"${name}":"x"}`])).toEqual([`{"${name}":"***"}`])
  })

  it('is found among fifty long ones', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `${'né'.repeat(120)}${i}`)
    const texts = names.map((name) => `{"a":1,"${name}":"x"}`)
    const shown = names.map((name) => `{"a":1,"${name}":"***"}`)
    expect(
      await show(
        names.map((name) => `column ${name}`),
        texts,
      ),
    ).toEqual(shown)
  })
})

describe('the name of a column', () => {
  const isHidden = async (masks: readonly string[], names: readonly string[]) => {
    const params = new SqlParams()
    const hiding = makeTextHiding(readViewMasks(masks), params)
    const [row] = await engine.store.query<{ hidden: number[] }>({
      sql: `SELECT arrayMap(name -> toUInt8(${hiding.isHiddenName('name')}), ${params.add(names, 'Array(String)')}) AS hidden`,
      params: params.values(),
    })
    return names.filter((_, i) => row?.hidden[i] === 1)
  }

  it('is hidden at the end, below and in the middle of a path, in any letter case', async () => {
    const hidden = ['pin', 'PIN', 'a.pin', 'pin.a', 'a.Pin.b', 'a\n.pin']
    const shown = ['pinned', 'spin', 'a.pins', 'pi', 'pin-a']
    expect(await isHidden(['column pin'], [...hidden, ...shown])).toEqual(hidden)
    expect(
      await isHidden(['column ΑΣ', 'column İd'], ['ας', 'ΑΣ', 'ασ', 'i\u0307d', 'İD']),
    ).toEqual(['ας', 'ΑΣ', 'ασ', 'i\u0307d', 'İD'])
  })
})

describe('what a detector finds', () => {
  it.each<[mask: string, text: string, shown: string]>([
    ['email', 'ann@x.org pays', '*** pays'],
    ['email', '["a\\\\b","ann@x.org"]', '["a\\\\b","***"]'],
    ['email', 'andr\\u00e9@x.org', '***'],
    ['email', '{"a":"x\\nann@x.org"}', '***'],
    ['email', 'ann\\u0040x.org', '***'],
    ['phone', '{"a":"+49\\/30\\/1234567"}', '***'],
    ['bearer', '{"a":"Bearer\\tabcdef"}', '***'],
    ['card', '{"a":"x\\n4111111111111111"}', '***'],
    ['card', '{"a":"x\\n","b":4111111111111111}', '{"a":"x\\n","b":***}'],
    ['email', 'C:\\new, ann@x.org', 'C:\\new, ***'],
    ['email', '{"t":"{\\"m\\":\\"ann@x.org\\"}"}', '{"t":"{\\"m\\":\\"***\\"}"}'],
  ])('%s: %s', async (mask, text, shown) => {
    expect(await show([mask], [text])).toEqual([shown])
  })
})

describe('random JSON', () => {
  const PLANTED = /q\d+q/
  const key = fc.oneof(
    fc.constantFrom(
      'pin',
      'pin',
      'PIN',
      'a.pin',
      'pin.b',
      'user',
      'name',
      'spin',
      'a',
      'b"c',
      'né',
    ),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  )
  const isHidden = (name: string) => `.${name}.`.toLowerCase().includes('.pin.')
  const scalar = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null, '', '"pin":', 'a\\"pin\\":1', '}', ']', '\n'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'max', maxDepth: 8 },
      { weight: 2, arbitrary: scalar },
      { weight: 2, arbitrary: fc.array(tie('tree'), { maxLength: 2 }) },
      { weight: 4, arbitrary: fc.dictionary(key, tie('tree'), { minKeys: 1, maxKeys: 3 }) },
      { weight: 1, arbitrary: fc.record({ text: tie('tree').map((it) => JSON.stringify(it)) }) },
    ),
  }))
  let count = 0
  /** Every scalar below a hidden name has a text that nothing else has. */
  function plant(value: unknown, isBelow: boolean): unknown {
    if (Array.isArray(value)) return value.map((it) => plant(it, isBelow))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, it]) => [name, plant(it, isBelow || isHidden(name))]),
      )
    if (typeof value === 'string' && !isBelow) return plantInText(value)
    count += 1
    return isBelow ? `q${count}q` : value
  }
  function plantInText(text: string): string {
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'object' ? JSON.stringify(plant(value, false)) : text
    } catch {
      return text
    }
  }
  const spelled = (text: string, spell: readonly number[]) =>
    text.replace(/[a-zé]/g, (letter, at: number) =>
      spell.includes(at) ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
    )

  /** So much of the text in percent; half a character becomes another one. */
  const cutShort = (text: string, percent: number) =>
    Buffer.from(text.slice(0, Math.ceil((text.length * percent) / 100))).toString()

  it('shows nothing that is below a hidden name', async () => {
    const texts = fc
      .sample(
        fc.tuple(
          fc.array(tree, { minLength: 3, maxLength: 4 }),
          fc.array(fc.nat(40), { maxLength: 2 }),
          fc.integer({ min: 40, max: 200 }),
        ),
        { numRuns: series(1000, 20_000), seed: 39 },
      )
      .map(([value, spell, cut]) => {
        const text = spelled(JSON.stringify(plant(value, false)), spell)
        return cut >= 100 ? text : cutShort(text, cut)
      })
    expect(texts.filter((text) => PLANTED.test(text)).length).toBeGreaterThan(50)
    const shown = await showAll(['column pin'], texts)
    const leaks = texts.filter((_, i) => PLANTED.test(shown[i] ?? 'q1q'))
    expect(leaks).toEqual([])
    const plain = texts.filter((text) => !/pin|\\u/i.test(text))
    expect(await showAll(['column pin'], plain)).toEqual(plain)
  })
})
