// Makes or changes an account of the address book for a Windows share.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import {
  bookAccountAnswer,
  bookAccountArguments,
  bookAccountName,
  nameValue,
  requireWhenNew,
  secretValue,
} from '../book-account.ts'

const UNC = /^\\\\[A-Za-z0-9._-]{1,253}(?:\\[^\\/:*?"<>|]{1,255}){1,20}\\?$/

export const addWindowsShareAccount = {
  name: 'addWindowsShareAccount',
  help: 'Makes an account of the address book for a Windows share. The product does not speak SMB: it reads what the operator has mounted, for a log with this account and -unc (addLog).',
  operation: 'data.accounts',
  sees: { kind: 'paths', paths: ['account'] },
  target: 'name',
  input: z
    .strictObject({
      name: bookAccountName,
      share: argument(
        z.string().trim().regex(UNC, 'must be a share such as \\\\host\\logs').optional(),
        { description: 'the share; required for a new account', hint: '\\\\host\\logs' },
      ),
      mountPath: argument(
        nameValue
          .refine(
            (text) => text === '' || text.startsWith('/') || /^[A-Za-z]:[\\/]/.test(text),
            'must be a whole path',
          )
          .optional(),
        {
          description: 'where it is mounted at the nodes of the product; empty where it is not',
          hint: '/mnt/logs',
        },
      ),
      domain: argument(nameValue.optional(), {
        description: 'domain of the user; empty for none',
        hint: '<name>',
      }),
      userName: argument(nameValue.optional(), {
        description: 'user there; empty for none',
        hint: '<name>',
      }),
      userPassword: argument(secretValue.optional(), {
        description: 'password there; empty for none',
        hint: '<password>',
        isSecret: true,
      }),
      ...bookAccountArguments,
    })
    .superRefine(requireWhenNew(['share'])),
  answer: bookAccountAnswer,
} as const satisfies CommandEntry
