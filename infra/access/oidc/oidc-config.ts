// Process configuration of sign-in by an OpenID Connect provider. Without an issuer there is none.
import { z } from 'zod'
import { HeldSecret } from './held-secret.ts'

const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('must be true or false'),
)

/** Plain HTTP is for a provider on this machine: on the way anybody could be the provider. */
const issuerUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) =>
      url.startsWith('https:') || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(`${url}/`),
    'must begin with https://',
  )

/** `theirs=ours`; the last `=` counts. */
const mapping = z
  .string()
  .regex(/^.+=[^=]+$/, 'must be <group of the provider>=<group here>')
  .transform((text) => {
    const at = text.lastIndexOf('=')
    return { theirs: text.slice(0, at), ours: text.slice(at + 1) }
  })

export const oidcSchema = z
  .strictObject({
    issuer: issuerUrl.optional(),
    clientId: z.string().min(1).optional(),
    /** One of the two; neither for a public client. */
    clientSecret: z
      .string()
      .min(1)
      .transform((text) => new HeldSecret(text))
      .optional(),
    clientSecretFile: z.string().min(1).optional(),
    scopes: z.array(z.string().min(1)).default(['openid', 'profile', 'email']),
    /** Claim whose value is the user's name here. */
    nameClaim: z.string().min(1).default('preferred_username'),
    groupsClaim: z.string().min(1).default('groups'),
    /** Empty: groups are set here, not by the provider. */
    groups: z.array(mapping).default([]),
    /** False: only users whom an administrator has added. */
    createUsers: flag.default(true),
  })
  .refine(({ issuer, clientId }) => (issuer === undefined) === (clientId === undefined), {
    message: 'issuer and clientId go together: give both or neither',
  })
  .refine((it) => it.clientSecret === undefined || it.clientSecretFile === undefined, {
    message: 'give clientSecret or clientSecretFile, not both',
  })

export type OidcConfig = z.infer<typeof oidcSchema>
