// What an S3 account is made of, and how it is tried.
import { tryS3 } from '../../../infra/outbound/s3.ts'
import { ACCOUNT_SETTINGS, type BookAccountSettings } from '../../../schemas/address-book.ts'
import type { SdkInput } from '../../../schemas/sdk/commands.ts'
import type { CommandTools } from '../server/serve-command.ts'
import { VERIFY_MS } from './limit.ts'
import type { AccountForm } from './save-account.ts'

const DEFAULT_REGION = 'us-east-1'

export function s3Form(
  input: SdkInput<'addExternalAccount'>,
  { nodeName, clock }: Pick<CommandTools, 'nodeName' | 'clock'>,
): AccountForm<BookAccountSettings<'s3'>> {
  return {
    kind: 's3',
    schema: ACCOUNT_SETTINGS.s3,
    secrets: { secretKey: input.secretKey },
    settings: (before) => ({
      bucket: input.bucket ?? before?.bucket ?? '',
      region: input.region ?? before?.region ?? DEFAULT_REGION,
      endpoint: input.endpoint ?? before?.endpoint ?? '',
      accessKey: input.accessKey ?? before?.accessKey ?? '',
    }),
    // Of its secret key nothing is sent but signatures.
    isSamePlace: () => true,
    verify: async (settings, { secretKey = '' }) => {
      const signal = AbortSignal.timeout(VERIFY_MS)
      const seen = await tryS3({ ...settings, secretKey }, { nowMs: clock.nowMs(), signal })
      if ('failed' in seen) return seen
      const what = seen.hasObjects ? 'it holds objects' : 'it is empty'
      return {
        facts: [`the bucket ${settings.bucket} was listed from the node ${nodeName}: ${what}`],
      }
    },
    notes: ({ endpoint }) =>
      endpoint.startsWith('http:')
        ? ['endpoint: without https:// anybody on the way can read what is fetched']
        : [],
  }
}
