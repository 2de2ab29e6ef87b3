// Puts events under a legal hold (docs/decisions/0084).
import { z } from 'zod'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { momentValue, pathValue, textValue } from '../values.ts'
import { legalHold } from './legal-hold.ts'

const optionalMoment = momentValue.optional()

export const addHold = {
  name: 'addHold',
  help: 'Puts events under a legal hold: of a log, of a folder with all below it, or of a collection policy. Neither retention nor deleteData ends them until removeHold. A day of receipt (UTC) with one event under a hold is kept whole.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'reason',
  input: z
    .strictObject({
      log: argument(pathValue.optional(), {
        description: 'folder path and log name',
        hint: 'Web->Edge->access',
      }),
      folder: argument(pathValue.optional(), { description: 'folder path', hint: 'Web->Edge' }),
      policy: argument(objectNameSchema.optional(), {
        description: 'name of a collection policy',
        hint: '<name>',
      }),
      from: argument(optionalMoment, {
        description: 'time of the first event that is held; default: no begin',
        hint: '2026-03-01T00:00:00Z',
      }),
      to: argument(optionalMoment, {
        description: 'events before this time are held; default: no end',
        hint: '2026-04-01T00:00:00Z',
      }),
      reason: argument(textValue.min(1, 'must say why'), {
        description: 'why; it is shown with the hold',
        hint: '<text>',
      }),
    })
    .superRefine((input, context) => {
      const fault = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      const given = [input.log, input.folder, input.policy].filter((it) => it !== undefined)
      if (given.length !== 1) fault('log', 'give one of -log, -folder and -policy')
      if (input.log?.length === 0) fault('log', 'names no log')
      if (input.from !== undefined && input.to !== undefined && input.from >= input.to)
        fault('to', 'must be after -from')
    }),
  answer: legalHold,
} as const satisfies CommandEntry
