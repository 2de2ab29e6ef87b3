// Writes schemas/names/confusables.ts from Unicode's confusables.txt (UTS 39): npx tsx infra/scripts/write-confusables.ts <confusables.txt>
// Kept is what a folded name can hold (lower case, decomposed, nothing invisible) and what looks like Latin, Greek or Cyrillic.
import { readFileSync, writeFileSync } from 'node:fs'

const LINE_LENGTH = 150
const LOOKS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{M}]+$/u
const INVISIBLE = /[\p{C}\p{Z}]/u

type Pair = { readonly source: string; readonly target: string }

const file = process.argv[2]
if (file === undefined) throw new Error('which confusables.txt?')
const text = readFileSync(file, 'utf8')
const version = /^# Version: (\S+)/m.exec(text)?.[1] ?? ''
const year = /^# © (\d+)/m.exec(text)?.[1] ?? ''

const bySameLook = new Map<string, string[]>()
for (const { source, target } of parse(text)) {
  if (!isKept(source, target)) continue
  const key = [...target].map(toHex).join('+')
  bySameLook.set(key, [...(bySameLook.get(key) ?? []), toHex(source)])
}
const groups = [...bySameLook].map(([target, sources]) => `${target}=${sources.join(' ')}`)
writeFileSync(new URL('../../schemas/names/confusables.ts', import.meta.url), print(groups))

function parse(all: string): Pair[] {
  const pairs: Pair[] = []
  for (const line of all.split('\n')) {
    const [, source = '', target = ''] = /^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/.exec(line) ?? []
    if (source !== '') pairs.push({ source: fromHex(source), target: fromHex(target) })
  }
  return pairs
}

function isKept(source: string, target: string): boolean {
  const isReached = source.normalize('NFD') === source && source.toLowerCase() === source
  return isReached && !INVISIBLE.test(source) && LOOKS.test(target)
}

function fromHex(points: string): string {
  return points
    .trim()
    .split(/ +/)
    .map((it) => String.fromCodePoint(Number.parseInt(it, 16)))
    .join('')
}

function toHex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}

function print(all: readonly string[]): string {
  const lines: string[] = []
  for (const word of all.join(';').split(/(?<=[ ;])/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length > LINE_LENGTH) lines.push(word)
    else lines[lines.length - 1] = last + word
  }
  return `// Made by infra/scripts/write-confusables.ts from confusables.txt ${version} of Unicode; not edited by hand.
// Copyright © ${year} Unicode, Inc. All rights reserved. Distributed under the terms in schemas/names/confusables-license.txt.

/** \`target=source source …;…\` in hexadecimal code points: what looks like the target, which may be several joined by +. */
export const CONFUSABLES = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('')
`
}
