// Makes or changes an SSH account of the address book.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import {
  bookAccountAnswer,
  bookAccountArguments,
  bookAccountName,
  hostValue,
  requiredNameValue,
  requireWhenNew,
  secretValue,
  smallFileValue,
} from '../book-account.ts'
import { wholeNumberValue } from '../values.ts'

/** `ssh-ed25519 SHA256:…`, `SHA256:…`, or '' to forget it. */
const HOST_KEY = /^(?:[a-z0-9@.-]{1,64} )?SHA256:[A-Za-z0-9+/]{43}$/

export const addSSHAccount = {
  name: 'addSSHAccount',
  help: 'Makes an SSH account of the address book: how logs, scan tasks and log sync tasks reach files of another machine. Nothing is read by it before its host key is given or confirmed by -verify.',
  operation: 'data.accounts',
  sees: { kind: 'paths', paths: ['account'] },
  target: 'name',
  input: z
    .strictObject({
      name: bookAccountName,
      host: argument(hostValue.optional(), {
        description: 'machine to connect to; required for a new account',
        hint: '<host>',
      }),
      port: argument(wholeNumberValue(1, 65_535).optional(), {
        description: 'default 22',
        hint: '22',
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
      privateKeyFile: argument(smallFileValue.optional(), {
        description: 'file with a private key (OpenSSH, PEM or PPK), which is read now and kept',
        hint: '<file>',
        isFile: true,
        isSecret: true,
      }),
      passphrase: argument(secretValue.optional(), {
        description: 'of the private key; empty for none',
        hint: '<text>',
        isSecret: true,
      }),
      hostKey: argument(
        z
          .string()
          .trim()
          .refine((text) => text === '' || HOST_KEY.test(text), {
            message: 'must be a fingerprint as ssh-keygen -lf prints it: SHA256:<43 characters>',
          })
          .optional(),
        {
          description:
            'fingerprint of the key that the machine must show; not given: the first one that -verify meets is kept; empty: forgotten',
          hint: 'SHA256:…',
        },
      ),
      ...bookAccountArguments,
    })
    .superRefine(requireWhenNew(['host', 'userName'])),
  answer: bookAccountAnswer.extend({ hostKey: z.string() }),
} as const satisfies CommandEntry
