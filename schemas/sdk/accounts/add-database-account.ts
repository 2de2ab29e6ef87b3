// Makes or changes an account of the address book for a database.
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
import { flagValue, wholeNumberValue } from '../values.ts'

export const addDatabaseAccount = {
  name: 'addDatabaseAccount',
  help: 'Makes an account of the address book for a PostgreSQL database. Query tasks (addQueryTask) read rows by it.',
  operation: 'data.accounts',
  sees: { kind: 'paths', paths: ['account'] },
  target: 'name',
  input: z
    .strictObject({
      name: bookAccountName,
      host: argument(hostValue.optional(), {
        description: 'name or address of the server; required for a new account',
        hint: 'db.example',
      }),
      port: argument(wholeNumberValue(1, 65_535).optional(), {
        description: 'port of the server; default 5432',
        hint: '5432',
      }),
      database: argument(requiredNameValue.optional(), {
        description: 'the database; required for a new account',
        hint: 'shop',
      }),
      userName: argument(requiredNameValue.optional(), {
        description: 'user there, who needs to read and no more; required for a new account',
        hint: '<name>',
      }),
      userPassword: argument(secretValue.optional(), {
        description: 'password there; empty for none',
        hint: '<password>',
        isSecret: true,
      }),
      tls: argument(flagValue.optional(), {
        description: 'whether it is spoken to by TLS, with its certificate checked; default true',
        hint: 'true|false',
        isFlag: true,
      }),
      certificateFile: argument(smallFileValue.optional(), {
        description:
          'PEM file with certificates that are trusted beside the usual ones, which is read now and kept',
        hint: '<file>',
        isFile: true,
      }),
      ...bookAccountArguments,
    })
    .superRefine(requireWhenNew(['host', 'database', 'userName'])),
  answer: bookAccountAnswer,
} as const satisfies CommandEntry
