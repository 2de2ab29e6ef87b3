// Shows and installs the licence (docs/decisions/0049).
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'

const MAX_CHARACTERS = 100_000
const textOfLicense = z.string().max(MAX_CHARACTERS, 'is too long for a licence')

export const license = {
  name: 'license',
  help: 'Without arguments: shows the server key, for which a licence is made, the licence that is installed, and how the product stands with its portal. With one: installs it. A licence that is refused changes nothing, and no state of a licence stops ingest or search.',
  operation: 'system.settings',
  sees: { kind: 'nothing', because: 'the events stay where they are' },
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
    /** off: no portal is set up. waiting: it has taken no report yet. */
    portal: z.enum(['off', 'waiting', 'reporting', 'failing']),
    portalDeployment: z.string(),
    portalLastReport: z.string(),
    portalNextReport: z.string(),
    /** Hours of usage that wait to be reported, as of the last try. */
    portalDueHours: z.number(),
    /** Of what the portal signed last, checked here. */
    entitlement: z.enum(['none', 'active', 'ending', 'ended', 'refused']),
    entitlementEnd: z.string(),
    entitledName: z.string(),
    entitledPlan: z.string(),
    entitledVolumeBytesPerDay: z.number(),
    entitledEnd: z.string(),
    /** State of the licence, as the portal said last. */
    portalLicense: z.string(),
    portalWarnings: z.array(z.string()),
  }),
} as const satisfies CommandEntry
