// The evidence chain by itself: every change names its entry and no other; a late end finds a cut.
import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import type { EvidenceRow } from '../../../../infra/database/rows/evidence-rows.ts'
import { hashEvidenceEntry, signedBytesOf } from '../../../../infra/evidence/chain-hash.ts'
import { checkChain } from '../../../../infra/evidence/check-chain.ts'
import type { ChainEnd } from '../../../../infra/evidence/check-links.ts'
import { addDigests } from '../../../../infra/evidence/digest-sums.ts'
import { printHead, readHead } from '../../../../infra/evidence/head-document.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const LENGTH = 12
const NOW_MS = 10_000_000

function makeChain(length: number, text = 'content'): EvidenceRow[] {
  const rows: EvidenceRow[] = []
  for (let number = 1; number <= length; number += 1) {
    const previous = rows.at(-1)?.hash ?? ''
    const entry = { number, atMs: number, kind: 'audit', content: `${text} ${number}` }
    const hash = hashEvidenceEntry(previous, entry)
    const signature = sign(null, signedBytesOf(number, hash), privateKey).toString('base64')
    rows.push({
      number,
      at_ms: number,
      kind: 'audit',
      content: entry.content,
      previous,
      hash,
      signature,
    })
  }
  return rows
}

const named = (rows: readonly EvidenceRow[], ends: readonly ChainEnd[] = []) =>
  checkChain(rows, { key: publicKey, nowMs: NOW_MS, ends }).findings.map(({ entry }) => entry)

it('names nothing of a chain as it was made', () => {
  expect(named(makeChain(LENGTH))).toEqual([])
  expect(named([])).toEqual([])
})

it('names each changed entry alone', () => {
  for (let at = 0; at < LENGTH; at += 1)
    for (const change of [
      { content: 'x' },
      { kind: 'day' },
      { at_ms: 99 },
      { previous: 'x' },
      { hash: 'x' },
      { signature: 'AAAA' },
      { signature: null },
    ]) {
      const rows = makeChain(LENGTH).map((row, index) =>
        index === at ? { ...row, ...change } : row,
      )
      expect(named(rows), JSON.stringify(change)).toEqual([at + 1])
    }
})

it('names an entry that was made anew with all that follows from it, by its signature', () => {
  const rows = makeChain(LENGTH)
  const other = makeChain(LENGTH, 'other')
  const mixed = rows.map((row, at) => (at === 4 ? (other[4] ?? row) : row))
  expect(named(mixed)).toContain(5)
})

it('names gaps, swapped entries and a tail that was cut', () => {
  const rows = makeChain(LENGTH)
  expect(named(rows.filter(({ number }) => number !== 4))).toEqual([4])
  const swapped = rows.map((row) => {
    const number = row.number === 3 ? 9 : row.number === 9 ? 3 : row.number
    return { ...row, number }
  })
  expect(named(swapped.toSorted((a, b) => a.number - b.number))).toEqual([3, 9])
  const cut = rows.slice(0, 7)
  expect(named(cut)).toEqual([])
  const sent = { number: LENGTH, hash: rows.at(-1)?.hash ?? '', at: '2026-11-25T00:00:00.000Z' }
  const end = readHead(printHead({ serverKey: 'S', ...sent }, privateKey), publicKey)
  expect(named(cut, [end])).toEqual([8])
  expect(named(makeChain(LENGTH, 'other'), [end])).toEqual([LENGTH])
})

it('refuses an end that another server signed', () => {
  const head = printHead(
    { serverKey: 'S', number: 1, hash: 'x', at: '2026-11-25T00:00:00.000Z' },
    generateKeyPairSync('ed25519').privateKey,
  )
  expect(() => readHead(head, publicKey)).toThrow(/no end of a chain that this server signed/)
})

it('adds digests modulo 2^128, and takes them off again', () => {
  const most = String((1n << 128n) - 1n)
  expect(addDigests(most, '2')).toBe('1')
  expect(addDigests('1', '2', -1n)).toBe(most)
  expect(addDigests(addDigests('77', most), most, -1n)).toBe('77')
})
