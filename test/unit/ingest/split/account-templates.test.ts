// The template of an event by `productType`, and of a line by its account (decisions 2.10, 3.9).
import { describe, expect, it } from 'vitest'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { makeSplitEvent } from '../../../../ingest/split/split-event.ts'
import { templatesInForce } from '../../../../schemas/templates/own-template.ts'
import {
  columnsOf,
  makeAccount,
  makeEventInput,
  RECEIVED_MS,
  readTexts,
  splitWith,
} from '../../../support/ingest/split-event.ts'

const own = (name: string, logTypes: string[], patterns: string[], isEnabled = true) => ({
  ...{ name, logTypes, patterns, isEnabled, description: '' },
})

const SHOP = own('Shop', ['shop', 'orders'], ['{date:Day,yyyy-MM-dd} {word:Order} {number:Sum}'])

function split(event: object, templates = [SHOP], changes = {}) {
  const account = makeAccount({ templates: templatesInForce(templates), ...changes })
  return splitWith(makeAccountSplitter(account, 'UTC'), JSON.stringify(event))
}

const message = '2024-05-31 a1 7.5'

describe('productType', () => {
  it('takes the first template that has all of its words', () => {
    const other = own('Other', ['shop', 'other'], ['{text:All}'])
    for (const productType of ['shop', 'SHOP orders', ' orders,  shop '])
      expect(split({ message, productType }, [SHOP, other])).toMatchObject({ template: 'Shop' })
    expect(split({ message, productType: 'other' }, [SHOP, other]).template).toBe('Other')
    expect(split({ message, productType: 'shop' }, [other, SHOP]).template).toBe('Other')
    const none = split({ message, productType: 'unknown shop' }, [SHOP, other])
    expect([none.template, none.typeWords]).toEqual(['', 'unknown shop'])
    expect(split({ message }, [SHOP]).template).toBe('')
  })

  it('gives columns that win, and the time where no key says one', () => {
    const untimed = split({ message, productType: 'shop', Sum: 'json', Order: { x: 1 }, n: 1 })
    expect(columnsOf(untimed)).toEqual({ Order: 'a1', Sum: 7.5, 'Order.x': 1, n: 1 })
    expect(untimed.timestampMs).toBe(Date.parse('2024-05-31T00:00:00Z'))
    expect(untimed.isStoredRaw).toBe(true)
    const timed = split({ message, productType: 'shop', time: '2024-05-30T00:00:00Z' })
    expect(columnsOf(timed)).toEqual({ Day: '2024-05-31', Order: 'a1', Sum: 7.5 })
    expect(timed.timestampMs).toBe(Date.parse('2024-05-30T00:00:00Z'))
    const ahead = split({ message, productType: 'shop', time: '2024-07-30T00:00:00Z' })
    expect(ahead.timestampMs).toBe(RECEIVED_MS)
  })

  it('leaves a column of JSON where the template has no value of that name', () => {
    const template = own('A', ['a'], ['{word:W} {number:N}'])
    const event = split({ message: 'x -', productType: 'a', N: 'json', W: 'json' }, [template])
    expect(columnsOf(event)).toEqual({ W: 'x', N: 'json' })
  })

  it('lets keys within the line win, too, but none that no column can have', () => {
    const template = own('A', ['a'], ['{pairs}'])
    const event = split({ message: 'b=2 c..d=3', productType: 'a', b: 'json' }, [template])
    expect(columnsOf(event)).toEqual({ b: 2 })
  })

  it('keeps a message that no pattern fits as it is', () => {
    const event = split({ message: 'nothing of it', productType: 'shop', Sum: 'json' })
    expect(event).toMatchObject({ template: 'Shop', pattern: 0, message: 'nothing of it' })
    expect(columnsOf(event)).toEqual({ Sum: 'json' })
    expect(event.timestampMs).toBe(RECEIVED_MS)
  })

  it('reads no event without a message', () => {
    expect(split({ productType: 'shop', a: message }).template).toBe('')
  })

  it('takes built-in templates after own ones; one of the same name stands for it', () => {
    const line = '10.0.0.1 - - [31/May/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 5'
    const event = { message: line, productType: 'httpd access' }
    expect(split(event, [])).toMatchObject({ template: 'Apache access' })
    expect(columnsOf(split(event, []))).toMatchObject({ Status: 200 })
    const off = own('apache ACCESS', ['httpd', 'access'], ['{text:All}'], false)
    expect(split(event, [off]).template).toBe('')
    const instead = own('apache ACCESS', ['httpd', 'access'], ['{text:All}'])
    expect(columnsOf(split(event, [instead]))).toEqual({ All: line })
  })

  it('takes no pattern that this program cannot read', () => {
    const event = split({ message, productType: 'a' }, [own('A', ['a'], ['{later:A}'])])
    expect(event.template).toBe('')
  })
})

describe('a line of an account', () => {
  const splitLine = (line: string, changes: object) => {
    const account = makeAccount({ templates: templatesInForce([SHOP]), ...changes })
    const body = Buffer.from(line)
    const out = makeSplitEvent()
    makeAccountSplitter(account, 'UTC').split(out, makeEventInput({ body, isLine: true }))
    return readTexts(out)
  }

  it('has the columns and the types of its template', () => {
    const event = splitLine(message, { template: 'shop' })
    expect(event).toMatchObject({ template: 'Shop', pattern: 1, typeWords: 'shop orders' })
    expect(columnsOf(event)).toEqual({ Order: 'a1', Sum: 7.5 })
  })

  it('is tried with the patterns of the account first', () => {
    const changes = { template: 'Shop', patterns: ['{word:One} two'] }
    expect(splitLine('1 two', changes)).toMatchObject({ template: 'Shop', pattern: 1 })
    expect(splitLine(message, changes)).toMatchObject({ template: 'Shop', pattern: 2 })
    expect(splitLine('none', changes)).toMatchObject({ template: 'Shop', pattern: 0 })
  })

  it('is its message alone where the template is gone or disabled', () => {
    expect(splitLine(message, { template: 'gone' })).toMatchObject({ template: '', columnCount: 0 })
    const templates = templatesInForce([{ ...SHOP, isEnabled: false }])
    expect(splitLine(message, { template: 'Shop', templates }).template).toBe('')
  })
})
