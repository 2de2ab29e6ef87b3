// The chain as a file, a JSON object a line: the key, the entries, and maybe the audit log.
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'
import type { AuditRow } from '../database/rows/access-tables.ts'
import type { EvidenceRow } from '../database/rows/evidence-rows.ts'

const headSchema = z.object({
  type: z.literal('logeye evidence'),
  publicKey: z.string(),
  serverKey: z.string(),
  at: z.string(),
})
export type EvidenceFileHead = Omit<z.infer<typeof headSchema>, 'type'>

const whole = z.number().int()
const lineSchema = z.union([
  z.object({
    evidence: z.object({
      ...{ number: whole, at_ms: whole, kind: z.string(), content: z.string() },
      ...{ previous: z.string(), hash: z.string(), signature: z.string().nullable() },
    }),
  }),
  z.object({
    audit: z.object({
      ...{ id: whole, at_ms: whole, user_id: whole.nullable(), user_name: z.string() },
      ...{ address: z.string(), action: z.string(), target: z.string(), result: z.string() },
      ...{ details: z.string(), previous: z.string().nullable(), hash: z.string().nullable() },
    }),
  }),
])

export type EvidenceFile = EvidenceFileHead & {
  readonly evidence: readonly EvidenceRow[]
  /** Undefined: it was exported without them. */
  readonly audit: readonly AuditRow[] | undefined
}

export function printEvidenceFile({ evidence, audit, ...head }: EvidenceFile): string {
  const lines: unknown[] = [
    { type: 'logeye evidence', ...head, hasAudit: audit !== undefined },
    ...evidence.map((row) => ({ evidence: row })),
    ...(audit ?? []).map((row) => ({ audit: row })),
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Fails with evidence.file. */
export function readEvidenceFile(file: string, text: string): EvidenceFile {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const refuse = (at: number) =>
    new Failure('evidence.file', { file, reason: `its line ${at + 1} cannot be read` })
  const parse = (at: number): unknown => {
    try {
      return JSON.parse(lines[at] ?? '')
    } catch {
      throw refuse(at)
    }
  }
  const head = headSchema.extend({ hasAudit: z.boolean() }).safeParse(parse(0))
  if (!head.success) throw refuse(0)
  const { publicKey, serverKey, at, hasAudit } = head.data
  const evidence: EvidenceRow[] = []
  const audit: AuditRow[] = []
  for (let index = 1; index < lines.length; index += 1) {
    const line = lineSchema.safeParse(parse(index))
    if (!line.success) throw refuse(index)
    if ('evidence' in line.data) evidence.push(line.data.evidence)
    else audit.push(line.data.audit)
  }
  evidence.sort((a, b) => a.number - b.number)
  audit.sort((a, b) => a.id - b.id)
  return { publicKey, serverKey, at, evidence, audit: hasAudit ? audit : undefined }
}
