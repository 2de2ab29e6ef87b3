// What one user may see and do, as somebody is told who manages users.
import { z } from 'zod'

export const userViewParameters = z.strictObject({
  user: z.string().meta({ description: 'User name; letter case does not count.' }),
})

export const userView = z
  .strictObject({
    user: z.string(),
    displayName: z.string(),
    isEnabled: z.boolean().meta({ description: 'False: he cannot sign in, and sees nothing.' }),
    isAdministrator: z.boolean(),
    operations: z.array(z.string()).meta({ description: 'What he may do; the shortest choice.' }),
    groups: z.array(z.string()),
    nodes: z
      .array(
        z.strictObject({
          path: z.string().meta({ examples: ['Web->Edge->access'] }),
          kind: z.enum(['folder', 'log']),
          mayEdit: z.boolean(),
        }),
      )
      .meta({ description: 'Folders and logs that he may view and the caller, too; by path.' }),
    total: z.strictObject({ folders: z.int(), logs: z.int() }).meta({
      description: 'Of all that the caller may view.',
    }),
    hidden: z.int().meta({
      description: 'Logs that he may view and the caller may not: they are not listed.',
    }),
  })
  .meta({ id: 'UserView' })

export type UserView = z.infer<typeof userView>
