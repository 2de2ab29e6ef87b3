import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  countCitations,
  findBrokenCitations,
  readPlaces,
  type TextFile,
} from '../support/rules/citations.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Made by tools or by running the product; and this file, which plants mistakes. */
const SKIPPED = /(?:^|\/)(?:node_modules|dist|data|coverage|\.git)(?:\/|$)|citations\.test\.ts$/
/** Data, not texts of ours. */
const DATA = /^test\/(?:fixtures|cases)\/|package-lock\.json$/
const TEXT =
  /\.(?:ts|js|mjs|md|json|jsonc|yaml|yml|sh|cfg|xml|example|tpl|sql|service)$|(?:^|\/)(?:run|line|Dockerfile)$/

function readTree(folder = ROOT): TextFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = join(folder, entry.name)
    const path = relative(ROOT, full).replaceAll('\\', '/')
    if (SKIPPED.test(path) || DATA.test(path)) return []
    if (entry.isDirectory()) return readTree(full)
    return entry.isFile() && TEXT.test(path) ? [{ path, text: readFileSync(full, 'utf8') }] : []
  })
}

describe('citations', () => {
  const tree = readTree()
  const places = readPlaces(tree)

  it('lead to a rule, a decision page, a heading of the manual or a page', () => {
    expect(countCitations(tree)).toBeGreaterThan(300)
    expect(findBrokenCitations(tree, places)).toEqual([])
  })

  it.each([
    ['// kept for a day (decision 2.7, 2.99).', 'there is no 2.99'],
    ['// a rule of its own (decisions 3.1-3.42).', 'there is no 3.42'],
    ['// a long comment about a decision\n  // 9.99 that goes on', 'there is no 9.99'],
    ['/** A page of later (decision 7777). */', 'there is no 7777'],
    ['// sorted (search-language#order-of).', 'there is no #order-of'],
    ['// (search-language#order-by, #nowhere).', 'there is no #nowhere'],
    ['see docs/guides/nowhere.md', 'there is no docs/guides/nowhere.md'],
    ['see docs/decisions/7777', 'there is no docs/decisions/7777'],
    ['// one block (design 2.1).', 'not in the repository'],
    ['// by code (style 2.3).', 'not in the repository'],
    ['// users (product-facts section 9).', 'not in the repository'],
    ['// seen from outside (issue 3, acceptance 8).', 'not in the repository'],
    ['// words (search-language 2.1).', 'not in the repository'],
    ['// cells (language 2.7).', 'not in the repository'],
    ['// the envelope (specification: Product).', 'not in the repository'],
    ['lines (law 2.10)', 'not in the repository'],
    ['// the last second is included (2.6).', 'not in the repository'],
    ['// ---- scope (2.1-2.4) ----', 'not in the repository'],
  ])('that lead nowhere are found: %s', (text, reason) => {
    expect(findBrokenCitations([{ path: 'query/x.ts', text }], places).join('\n')).toContain(reason)
  })

  it('that lead somewhere are left alone', () => {
    const text =
      '// decisions 2.1, 2.3 and 3.10, decisions 4.6-4.8, decision 0021, search-language#group-by, #where\n' +
      '// docs/decisions/0008, docs/guides/operate.md, RFC 8878 section 3.1'
    expect(findBrokenCitations([{ path: 'query/x.ts', text }], places)).toEqual([])
  })
})
