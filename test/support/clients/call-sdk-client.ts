// The SDK's client, called in this process with streams and variables of its own.
import { Readable, Writable } from 'node:stream'
import { EXIT_CODES } from '../../../query/sdk/client/exit-codes.ts'
import { runClient } from '../../../query/sdk/client/run-client.ts'
import type { Ran } from './run-sdk-client.ts'

export async function callSdkClient(
  words: readonly string[],
  given: {
    stdin?: string
    password?: string
    variables?: Readonly<Record<string, string>>
  } = {},
): Promise<Ran> {
  const [out, err] = [readAll(), readAll()]
  const { LOGEYE_PASSWORD: _, ...env } = process.env
  const ending = await runClient(words, {
    stdin: Readable.from([given.stdin ?? '']),
    stdout: out.stream,
    stderr: err.stream,
    env: {
      ...env,
      ...given.variables,
      ...(given.password === undefined ? {} : { LOGEYE_PASSWORD: given.password }),
    },
    once: () => undefined,
  })
  return { code: EXIT_CODES[ending].code, out: out.text(), err: err.text() }
}

function readAll(): { stream: Writable; text: () => string } {
  let text = ''
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}
