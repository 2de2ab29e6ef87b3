// Makes or changes a remote product account of the address book.

import { z } from 'zod'
import { trimEnd } from '../../names/trim-end.ts'
import { argument, type CommandEntry } from '../argument.ts'
import {
  bookAccountAnswer,
  bookAccountArguments,
  bookAccountName,
  requiredNameValue,
  requireWhenNew,
  secretValue,
  smallFileValue,
  urlFault,
} from '../book-account.ts'

/** Ends in /logeye, without a slash after it. */
const remoteUrlValue = z
  .string()
  .trim()
  .max(1000, 'must have at most 1000 characters')
  .transform((text) => trimEnd(text, '/'))
  .superRefine((text, context) => {
    const reason =
      urlFault(text) ?? (new URL(text).pathname === '/logeye' ? undefined : 'must end in /logeye')
    if (reason !== undefined) context.addIssue({ code: 'custom', message: reason })
  })

export const addRemoteProductAccount = {
  name: 'addRemoteProductAccount',
  help: 'Makes a remote product account of the address book: how another system of this product is reached. A log that names it (addLog) is copied from there.',
  operation: 'data.accounts',
  sees: { kind: 'paths', paths: ['account'] },
  target: 'name',
  input: z
    .strictObject({
      name: bookAccountName,
      remoteURL: argument(remoteUrlValue.optional(), {
        description: 'address of the other system; required for a new account',
        hint: 'https://host:30443/logeye',
      }),
      userName: argument(requiredNameValue.optional(), {
        description: 'user there; required for a new account',
        hint: '<name>',
      }),
      userPassword: argument(secretValue.optional(), {
        description: 'password there; empty for none',
        hint: '<password>',
        isSecret: true,
      }),
      certificateFile: argument(smallFileValue.optional(), {
        description:
          'PEM file with certificates that are trusted beside the usual ones, which is read now and kept',
        hint: '<file>',
        isFile: true,
      }),
      ...bookAccountArguments,
    })
    .superRefine(requireWhenNew(['remoteURL', 'userName'])),
  answer: bookAccountAnswer,
} as const satisfies CommandEntry
