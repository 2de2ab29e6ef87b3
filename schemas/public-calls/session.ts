// Sessions of browsers, as the OpenAPI document tells them.
import { z } from 'zod'

export const sessionRequest = z.strictObject({
  user: z.string().max(1024),
  password: z.string().max(1024),
  code: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Of the second factor, or one of its recovery codes.' }),
})

const session = z.strictObject({
  user: z.string(),
  displayName: z.string(),
  isAdministrator: z.boolean(),
  operations: z.array(z.string()),
  csrfToken: z.string().nullable().meta({
    description: 'For the header X-CSRF-Token of calls that write; null without a session.',
  }),
  endsAt: z.string().nullable().meta({ description: 'However much it is used.' }),
})
export type SessionTold = z.infer<typeof session>

export const sessionAnswer = z.strictObject({
  success: z.literal(true),
  errorMessage: z.null(),
  response: session,
  httpStatusCode: z.literal(200),
})

const nextSession = session.pick({ user: true, displayName: true })
export type NextSessionTold = z.infer<typeof nextSession>

export const nextSessionAnswer = z.strictObject({
  success: z.literal(true),
  errorMessage: z.null(),
  response: nextSession,
  httpStatusCode: z.literal(200),
})

const signInWays = z.strictObject({
  isSecurityOn: z.boolean().meta({ description: 'False: everybody is an administrator.' }),
  hasProvider: z
    .boolean()
    .meta({ description: 'An identity provider signs users in at /logeye/session/oidc.' }),
  version: z.string().meta({ description: 'Of the product.' }),
  licenseWarning: z
    .string()
    .nullable()
    .meta({ description: 'What health says of the licence; null: nothing.' }),
})
export type SignInWays = z.infer<typeof signInWays>

export const signInWaysAnswer = z.strictObject({
  success: z.literal(true),
  errorMessage: z.null(),
  response: signInWays,
  httpStatusCode: z.literal(200),
})
