// `logeye verify-evidence`: checks an exported chain with nothing but the public key.
import { readFileSync } from 'node:fs'
import { Failure } from '../../schemas/failures.ts'
import { checkChain } from '../evidence/check-chain.ts'
import { checkLinks } from '../evidence/check-links.ts'
import { readEvidenceFile } from '../evidence/evidence-file.ts'
import { readHead } from '../evidence/head-document.ts'
import { readEntry } from '../evidence/read-evidence.ts'
import { linkOf, readAuditEnds } from '../evidence/verify/verify-audit.ts'
import { parsePublicKey } from '../signed-documents/signed-document.ts'

export type VerifyEvidence = {
  readonly file: string
  /** Base64; undefined: the one that the file names. */
  readonly key: string | undefined
  /** File with the end of the chain that was sent away. */
  readonly head: string | undefined
}

/** Resolves with what was found; `isUnchanged` false: something was changed. */
export function verifyEvidenceFile({ file, key, head }: VerifyEvidence): {
  readonly text: string
  readonly isUnchanged: boolean
} {
  const read = readEvidenceFile(file, readText(file))
  const publicKey = parsePublicKey(key ?? read.publicKey)
  if (publicKey === undefined)
    throw new Failure('evidence.file', { file, reason: 'the public key is none' })
  const ends = head === undefined ? [] : [readHead(readText(head), publicKey)]
  // No entry is new: the file says when it was written.
  const nowMs = Date.parse(read.at)
  const chain = checkChain(read.evidence, { key: publicKey, nowMs, ends })
  const named = new Set(chain.findings.flatMap(({ entry }) => entry ?? []))
  const whole = read.evidence.flatMap((row) => {
    const entry = named.has(row.number) ? undefined : readEntry(row)
    return entry ?? []
  })
  const findings = [...chain.findings]
  const audit = readAuditEnds(whole)
  if (read.audit !== undefined && audit.begin !== undefined) {
    const { after, hash } = audit.begin
    const links = read.audit.filter(({ id }) => id > after).map(linkOf)
    const known = audit.ends.filter(({ number }) => number > after)
    findings.push(...checkLinks('audit', links, { after, afterHash: hash, ends: known }))
  }
  const lines = [
    `${read.evidence.length} entries of the evidence, signed up to ${chain.signedThrough}`,
    read.audit === undefined
      ? 'exported without the audit log'
      : `${read.audit.length} entries of the audit log`,
    ...(key === undefined ? [`the key of the file itself was used: ${read.publicKey}`] : []),
    ...findings.map(({ text }) => `changed: ${text}`),
    findings.length === 0 ? 'nothing was changed' : `${findings.length} changes`,
  ]
  return { text: lines.join('\n'), isUnchanged: findings.length === 0 }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure('evidence.file', { file, reason: 'it cannot be read' }, error)
  }
}
