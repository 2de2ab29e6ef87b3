// A silence that nobody is told of (docs/decisions/0098).
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { momentValue, pathValue, textValue } from '../values.ts'

export const addExpectedSilence = {
  name: 'addExpectedSilence',
  help: 'Says that a log, or all logs of a folder, may be silent for a time: nobody is told, and nothing is learned from it.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'path',
  input: z
    .strictObject({
      path: argument(pathValue, {
        description: 'folder path, or folder path and log name',
        hint: 'Web->Edge->access',
      }),
      from: argument(momentValue.optional(), {
        description: 'begin; default now',
        hint: '2026-12-24T00:00:00Z',
      }),
      to: argument(momentValue.optional(), {
        description: 'end; default: until it is removed',
        hint: '2027-01-02T00:00:00Z',
      }),
      reason: argument(textValue.optional(), {
        description: 'why, for the others',
        hint: '<text>',
      }),
    })
    .superRefine(({ from, to }, context) => {
      if (from !== undefined && to !== undefined && to <= from)
        context.addIssue({ code: 'custom', path: ['to'], message: 'must be after -from' })
    }),
  answer: z.strictObject({ id: z.number(), path: z.string() }),
} as const satisfies CommandEntry
