// Takes a file in: done by the client, with the token of a listener account, as a sender would.
import { z } from 'zod'
import { argument, type ClientCommandEntry } from './argument.ts'
import { flagValue, textValue } from './values.ts'

const flag = (description: string) =>
  argument(flagValue.optional(), { description, hint: 'true|false', isFlag: true })

export const importFile = {
  name: 'import',
  help: 'Takes the lines of a file in, through a listener account. It can be stopped and taken up by the same command: nothing is lost or stored twice. Needs no sign-in.',
  input: z.strictObject({
    file: argument(z.string().min(1), {
      description: 'UTF-8; lines of text, or a JSON object a line; also compressed by gzip',
      hint: '<file>',
    }),
    listenerToken: argument(z.string().min(1), {
      description: 'token of the listener account; its settings say where the events go',
      hint: '<token>',
      isSecret: true,
    }),
    format: argument(z.enum(['lines', 'json'], 'must be lines or json').optional(), {
      description: 'default json where the file begins with {, else lines',
      hint: 'lines|json',
    }),
    hostName: argument(textValue.optional(), {
      description: 'source device of all events',
      hint: '<host>',
    }),
    dryRun: flag('shows what the first 50 lines would become, and stores nothing'),
    yes: flag('goes on after that without asking'),
    again: flag(
      'imports from the start, whatever was imported before: events are stored once more',
    ),
    stateFile: argument(z.string().min(1).optional(), {
      description: 'where it notes how far it has come; default <file>.logeye-import',
      hint: '<file>',
    }),
  }),
  answer: z.strictObject({ accepted: z.number(), rejected: z.number(), seconds: z.number() }),
} as const satisfies ClientCommandEntry

export type ImportInput = z.output<typeof importFile.input>
