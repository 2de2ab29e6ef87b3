// What a remote product account is made of, and how it is tried.
import { z } from 'zod'
import { describeConnection } from '../../../infra/outbound/describe-connection.ts'
import { sendRequest } from '../../../infra/outbound/request.ts'
import { ACCOUNT_SETTINGS, type BookAccountSettings } from '../../../schemas/address-book.ts'
import type { SdkInput } from '../../../schemas/sdk/commands.ts'
import type { CommandTools } from '../server/serve-command.ts'
import { VERIFY_MS } from './limit.ts'
import { requireCertificate } from './require-certificate.ts'
import type { AccountForm } from './save-account.ts'

const MAX_ANSWER_BYTES = 64 * 1024
const versionSchema = z.object({ response: z.object({ version: z.string().max(100) }) })

export function remoteProductForm(
  input: SdkInput<'addRemoteProductAccount'>,
  { nodeName }: Pick<CommandTools, 'nodeName'>,
): AccountForm<BookAccountSettings<'remoteProduct'>> {
  const { certificateFile } = input
  requireCertificate(certificateFile)
  return {
    kind: 'remoteProduct',
    schema: ACCOUNT_SETTINGS.remoteProduct,
    secrets: { userPassword: input.userPassword },
    settings: (before) => ({
      remoteURL: input.remoteURL ?? before?.remoteURL ?? '',
      userName: input.userName ?? before?.userName ?? '',
      certificate: certificateFile ?? before?.certificate ?? '',
    }),
    isSamePlace: (before, after) => after.remoteURL === before.remoteURL,
    verify: async ({ remoteURL, userName, certificate }, { userPassword = '' }) => {
      const signal = AbortSignal.timeout(VERIFY_MS)
      const basic = Buffer.from(`${userName}:${userPassword}`, 'utf8').toString('base64')
      const ask = (path: string, headers: Record<string, string>) =>
        sendRequest({
          ...{ url: new URL(`${remoteURL}${path}`), headers, certificate, signal },
          maxBytes: MAX_ANSWER_BYTES,
        })
      try {
        // Before a password goes there: whether it is this product at all.
        const head = await ask('/restapi/version', {})
        const version = versionSchema.safeParse(parseJson(head.body)).data?.response.version
        if (head.status !== 200 || version === undefined)
          return { failed: `what answers at ${remoteURL} is not this product` }
        const read = await ask(SIGNED_IN_READ, { authorization: `Basic ${basic}` })
        if (read.status === 401) return { failed: 'the system refuses this user and password' }
        if (read.status === 403) return { failed: 'this user may not read the tree there' }
        if (read.status !== 200)
          return { failed: `the system answers with the HTTP status ${read.status}` }
        return {
          facts: [
            `${userName} signed in at ${remoteURL} from the node ${nodeName}`,
            `version ${/^[\w.+-]{1,40}$/.test(version) ? version : 'unknown'}`,
          ],
        }
      } catch (error) {
        return { failed: describeConnection(error, signal) }
      }
    },
    notes: ({ remoteURL }) =>
      remoteURL.startsWith('http:')
        ? ['remoteURL: without https:// anybody on the way can read the password']
        : [],
  }
}

/** Answers shortly whatever the tree holds. */
const SIGNED_IN_READ =
  '/restapi/folders-and-logs-configuration?sourceQuery=log.logeye-account-verification'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
