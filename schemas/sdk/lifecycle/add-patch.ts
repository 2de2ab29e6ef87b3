// Patches of the product (docs/decisions/0112).
import { z } from 'zod'
import { MAX_PATCH_BYTES, PATCH_PIECE_BYTES } from '../../keep/patch.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { textValue, wholeNumberValue } from '../values.ts'

const MAX_PIECES = Math.ceil(MAX_PATCH_BYTES / PATCH_PIECE_BYTES)
const MAX_BASE64 = Math.ceil(PATCH_PIECE_BYTES / 3) * 4

export const addPatch = {
  name: 'addPatch',
  help: 'Checks a signed patch of the product and makes it ready: it comes into force with the next restart, and is taken back when the product is not healthy within a minute. Without -files: shows the patches.',
  operation: 'system.operate',
  sees: { kind: 'nothing', because: 'a patch is signed by the vendor' },
  target: 'type',
  input: z.strictObject({
    type: argument(z.enum(['api'], 'must be api'), {
      description: 'what the patch is for',
      hint: 'api',
    }),
    files: argument(
      z
        .string()
        .max(MAX_BASE64, 'must be a piece of a patch')
        .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')
        .optional(),
      { description: 'the patch archive', hint: '<patch archive>', isFile: true },
    ),
    piece: argument(wholeNumberValue(1, MAX_PIECES).optional(), {
      description: 'which piece of the archive -files is; the command line cuts it',
      hint: '<number>',
    }),
    pieces: argument(wholeNumberValue(1, MAX_PIECES).optional(), {
      description: 'how many there are',
      hint: '<number>',
    }),
    sha256: argument(textValue.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256').optional(), {
      description: 'of the whole archive',
      hint: '<sha256>',
    }),
  }),
  answer: z.strictObject({
    /** 0: the product as it was installed. */
    inForce: z.number(),
    /** Comes into force with the next restart; 0: none. */
    ready: z.number(),
    /** The last one that was taken back; 0: none. */
    takenBack: z.number(),
    piecesTaken: z.number(),
    notes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
