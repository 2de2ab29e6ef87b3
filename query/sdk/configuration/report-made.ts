import { z } from 'zod'
import type { ObjectReport } from '../../../schemas/object-report.ts'
import type { ObjectKind } from '../objects/object-kind.ts'

const answerSchema = z.looseObject({ notes: z.array(z.string()).optional() })

/** `answer`: of the command that made it. */
export function reportMade(kind: ObjectKind, name: string, answer: unknown): ObjectReport {
  const answered = answerSchema.safeParse(answer).data ?? {}
  const shown = (kind.shownOnce ?? []).flatMap((key) => {
    const value = answered[key]
    return typeof value === 'string' ? [[key, value] as const] : []
  })
  const made = { type: kind.type, name, done: 'made', notes: readNotes(answer) } as const
  return shown.length === 0 ? made : { ...made, shownOnce: Object.fromEntries(shown) }
}

export function readNotes(answer: unknown): string[] {
  return answerSchema.safeParse(answer).data?.notes ?? []
}
