// A warning beside an answer: the answer is there, but something about it may not be as expected.
import { z } from 'zod'

export const warningSchema = z
  .strictObject({
    code: z.string().meta({ examples: ['store.damaged'] }),
    message: z.string(),
    position: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'In the query, from 1, of what it is about.' }),
    replacement: z
      .string()
      .optional()
      .meta({
        description:
          'The whole query rewritten, where there is a definite way out. It is a valid query.',
        examples: ['level = ERROR | count'],
      }),
  })
  .meta({ id: 'Warning' })

export type Warning = z.output<typeof warningSchema>

/** The value of the header X-Logeye-Warnings: how many of each code. Undefined without any. */
export function printWarningCounts(warnings: readonly Warning[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1)
  if (counts.size === 0) return undefined
  return [...counts].map(([code, count]) => `${code}=${count}`).join(', ')
}
