// What the commands for accounts of the address book have in common.
import { z } from 'zod'
import { objectNameSchema } from '../users.ts'
import { argument } from './argument.ts'
import { flagValue, textValue } from './values.ts'

const MAX_SECRET_CHARACTERS = 4096
const MAX_FILE_CHARACTERS = 64 * 1024
const HOST_LABEL = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

export const bookAccountName = argument(objectNameSchema, {
  description:
    'name of the account; letter case does not tell two apart, and listener accounts are counted, too',
  hint: '<name>',
})

/** Of every kind. */
export const bookAccountArguments = {
  description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
  enabled: argument(flagValue.optional(), {
    description: 'whether it may be used; default true',
    hint: 'true|false',
    isFlag: true,
  }),
  update: argument(flagValue.optional(), {
    description: 'true: changes the account of this name; what is not given stays',
    hint: 'true|false',
    isFlag: true,
  }),
  verify: argument(flagValue.optional(), {
    description: 'true: connects first, from the node that answers; what fails changes nothing',
    hint: 'true|false',
    isFlag: true,
  }),
} as const

export const bookAccountAnswer = z.strictObject({
  name: z.string(),
  kind: z.string(),
  /** Rises with every change. */
  version: z.number(),
  enabled: z.boolean(),
  /** Names of those that are set. */
  secrets: z.array(z.string()),
  /** What was seen with -verify true. */
  verified: z.array(z.string()).optional(),
  notes: z.array(z.string()),
})

/** A password or key; '' takes it away. */
export const secretValue = z
  .string()
  .max(MAX_SECRET_CHARACTERS, `must have at most ${MAX_SECRET_CHARACTERS} characters`)
  .refine((text) => !text.includes('\0'), 'must hold no NUL')

/** The text of a small file; in the client its name. */
export const smallFileValue = z
  .string()
  .max(MAX_FILE_CHARACTERS, `must have at most ${MAX_FILE_CHARACTERS / 1024} KiB`)

/** Name or address of a machine, without port. */
export const hostValue = z
  .string()
  .trim()
  .refine(isHost, 'must be a host name or an IP address, without port')

export const nameValue = textValue.trim()

export const requiredNameValue = nameValue.min(1, 'must not be empty')

function isHost(text: string): boolean {
  if (text.includes(':')) return URL.canParse(`http://[${text}]/`)
  if (/^[\d.]+$/.test(text)) return IPV4.test(text)
  return text.length <= 253 && text.split('.').every((label) => HOST_LABEL.test(label))
}

/** http(s) without credentials, query and fragment. */
export function urlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL such as https://host:30443'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must hold no credentials'
  if (url.search !== '' || url.hash !== '') return 'must end with the path'
  return undefined
}

/** Arguments without which there can be no new account. */
export function requireWhenNew<T extends { readonly update?: boolean | undefined }>(
  names: readonly (keyof T & string)[],
) {
  return (input: T, context: z.RefinementCtx) => {
    if (input.update === true) return
    for (const name of names)
      if (input[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'is missing' })
  }
}
