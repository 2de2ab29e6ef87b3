// Accepts the damage of the store that is named now (decision 0021).
import { z } from 'zod'
import { DAMAGE_KINDS } from '../keep/store-damage.ts'
import type { CommandEntry } from './argument.ts'

export const acceptDamage = {
  name: 'acceptDamage',
  help: 'Accepts the damage of the store that is named now: the events count as gone, and health and searches are quiet about them.',
  operation: 'system.operate',
  sees: { kind: 'nothing', because: 'it records that events are lost, and loses none' },
  target: '',
  input: z.strictObject({}),
  answer: z.strictObject({
    accepted: z.array(
      z.strictObject({
        kind: z.enum(DAMAGE_KINDS),
        /** Null: of no one day. */
        day: z.string().nullable(),
        events: z.number(),
        text: z.string(),
      }),
    ),
  }),
} as const satisfies CommandEntry
