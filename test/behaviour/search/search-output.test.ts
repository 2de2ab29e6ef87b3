// Answers are read by strict programs: xmllint for the document, a strict CSV parser for the rows
// (decision 4.2).
import { parse } from 'csv-parse/sync'
import { XMLParser } from 'fast-xml-parser'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  callSearch,
  makeWord,
  search,
  searchUntil,
  sendEvents,
} from '../../support/clients/product-client.ts'
import { xmllintMissing } from '../../support/run/programs.ts'
import { spawnSync } from '../../support/run/run-sync.ts'
import { itUnless } from '../../support/run/skip.ts'

const NO_XMLLINT = xmllintMissing()
const hasXmllint = NO_XMLLINT === undefined

const HOSTILE: readonly string[] = [
  ']]>',
  ']]',
  ']]]]>>',
  '<![CDATA[',
  '</Data></APIResult>',
  '<!-- --> <?x?> &amp; &#0; &nope;',
  '"quoted"',
  '""',
  `it's`,
  'a,b;c\td',
  'one\ntwo',
  'one\r\ntwo',
  'one\rtwo',
  ' spaces around ',
  '\u0000\u0001\u0008\u000b\u000c\u001f\u007f\u0085\u009f',
  '\ufffe\uffff\ufeff',
  '\u2028\u2029',
  '‏مرحبا ‮cba‬ שלום',
  '😀👩‍👩‍👧‍👦𝔘',
  'e\u0301 ﬁ Å',
  '=1+1',
  '\\n \\" \\',
  "'; DROP TABLE x; --",
  '%00 {{x}} %s',
]
// biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 cannot carry (decision 4.2)
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const printed = (text: string) => text.replace(UNPRINTABLE, '\ufffd')

describe('hostile values, column names and names of logs', () => {
  const word = makeWord('output')
  const key = (text: string) => `k ${text}`

  beforeAll(async () => {
    await sendEvents(
      HOSTILE.map((text, n) => ({
        message: `${word} ${text}`,
        n,
        value: text,
        // A key with NUL is no column.
        ...(text.includes('\u0000') ? {} : { [key(text)]: text }),
        productName: `log ${word} ${n} ${text}`,
      })),
    )
    await searchUntil(HOSTILE.length, { searchQuery: word })
  })

  it.each(['xml', 'csv'] as const)('pass strict readers as %s', async (resultFormat) => {
    const document = await fetchDocument({
      searchQuery: word,
      resultFormat,
      fixedInterval: 'allData',
    })
    expectWellFormed(document)
    const records = resultFormat === 'csv' ? readCsv(document) : readXml(document)
    expect(records).toHaveLength(HOSTILE.length)
    for (const [n, text] of HOSTILE.entries()) {
      const record = records.find((one) => one.n === String(n))
      expect(record?.message).toBe(`${word} ${printed(text)}`)
      expect(record?.value).toBe(printed(text))
      if (!text.includes('\u0000')) expect(record?.[printed(key(text))]).toBe(printed(text))
    }
  })

  it.each(['xml', 'csv'] as const)(
    'pass as keys of a summary and as its names, as %s',
    async (resultFormat) => {
      const queries = [
        `${word} | count as "]]> <a> \\"q\\"" | group by value, log`,
        `${word} | list value as "a,b\nc", message as "</Cell>"`,
      ]
      for (const searchQuery of queries) {
        const document = await fetchDocument({
          searchQuery,
          resultFormat,
          fixedInterval: 'allData',
        })
        expectWellFormed(document)
        const records = resultFormat === 'csv' ? readCsv(document) : readXml(document)
        const values = records.map((record) => record.value ?? record['a,b\nc'])
        expect(values.sort()).toEqual(HOSTILE.map(printed).sort())
      }
    },
  )

  it('are found by their own value', async () => {
    for (const [n, text] of HOSTILE.entries()) {
      const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
      const found = await search({
        searchQuery: `${word} value = "${quoted}"`,
        fixedInterval: 'allData',
      })
      expect(found.message, text).toBe('')
      expect(
        found.rows.map((row) => row.n),
        JSON.stringify(text),
      ).toEqual([String(n)])
    }
  })

  it('pass in failures that quote them', async () => {
    for (const text of HOSTILE)
      for (const fields of failing(text)) expectWellFormed(await fetchDocument(fields))
  })
})

itUnless(NO_XMLLINT, 'documents are read by xmllint, too', () => expect(hasXmllint).toBe(true))

async function fetchDocument(fields: Readonly<Record<string, string>>): Promise<string> {
  const answer = await callSearch(fields, { method: 'POST' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

function failing(text: string): Readonly<Record<string, string>>[] {
  return [
    { searchQuery: `${text} | ${text} (` },
    { searchQuery: `* | count as x | where "${text}` },
    { searchQuery: '*', fixedInterval: text },
    { searchQuery: '*', startTimeFullStr: text, endTimeFullStr: text },
  ]
}

function expectWellFormed(document: string): void {
  if (!hasXmllint) return
  const run = spawnSync('xmllint', ['--noout', '-'], { input: document })
  expect(run.stderr.toString() + (run.status === 0 ? '' : document.slice(0, 500))).toBe('')
}

/** As a conforming XML reader hands it on: line ends are LF except where references keep a CR. */
function readCsv(document: string): Record<string, string>[] {
  const data = hasXmllint
    ? spawnSync('xmllint', ['--xpath', 'string(/APIResult/Data)', '-'], { input: document })
        .stdout.toString()
        .replace(/\n$/, '')
    : String(reader.parse(document).APIResult.Data)
  return parse(data, { columns: true })
}

const reader = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: 'text',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => name === 'Row' || name === 'Cell',
})

function readXml(document: string): Record<string, string>[] {
  const rows: { Cell: { name: string; text?: string }[] }[] =
    reader.parse(document).APIResult.Data?.Row ?? []
  return rows.map(({ Cell }) =>
    Object.fromEntries(Cell.map(({ name, text }) => [name, text ?? ''])),
  )
}
