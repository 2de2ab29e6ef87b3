// Shows and installs the licence (docs/decisions/0049).
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'

const MAX_CHARACTERS = 100_000
const textOfLicense = z.string().max(MAX_CHARACTERS, 'is too long for a licence')

export const license = {
  name: 'license',
  help: 'Without arguments: shows the server key, for which a licence is made, and the licence that is installed. With one: installs it. A licence that is refused changes nothing, and no state of a licence stops ingest or search.',
  operation: 'system.settings',
  target: 'files',
  input: z
    .strictObject({
      files: argument(textOfLicense.optional(), {
        description: 'a licence file; - reads standard input',
        hint: '<license file>',
        isFile: true,
      }),
      text: argument(textOfLicense.optional(), {
        description: 'the text of a licence, as it was pasted',
        hint: '<text>',
        isSecret: true,
      }),
    })
    .refine(({ files, text }) => files === undefined || text === undefined, {
      path: ['text'],
      message: 'not together with -files',
    }),
  answer: z.strictObject({
    serverKey: z.string(),
    state: z.enum(['none', 'active', 'ending', 'ended', 'not begun', 'refused']),
    /** What an operator should know; '' without. */
    warning: z.string(),
    id: z.string(),
    name: z.string(),
    /** 0: none is said. */
    volumeBytesPerDay: z.number(),
    features: z.array(z.string()),
    begin: z.string(),
    end: z.string(),
    /** Whose signatures count: the maker's, or those of LOGEYE_LICENSE_PUBLIC_KEY. */
    trusted: z.enum(['maker', 'LOGEYE_LICENSE_PUBLIC_KEY']),
  }),
} as const satisfies CommandEntry
