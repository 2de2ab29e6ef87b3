// Ends all processes of a start in order and starts them anew.
import { z } from 'zod'
import { NODE_NAME, NODE_NAME_HINT } from '../../names/node-name.ts'
import { argument, type CommandEntry } from '../argument.ts'

export const restart = {
  name: 'restart',
  help: 'Ends the processes of the product on the machine that answers, in order, and starts them anew. Accepted requests finish. Settings that hold from a restart on hold then.',
  operation: 'system.operate',
  sees: { kind: 'nothing', because: 'the events stay where they are' },
  target: 'node',
  input: z.strictObject({
    node: argument(z.string().regex(NODE_NAME, `must be ${NODE_NAME_HINT}`).optional(), {
      description:
        'name of the machine (LOGEYE_NODE_NAME); refused where another one answers, which restarts itself alone',
      hint: '<node>',
    }),
  }),
  answer: z.strictObject({
    /** The machine that restarts. */
    node: z.string(),
    restarting: z.literal(true),
    /** Other machines that listen, which go on as they are. */
    otherNodes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
