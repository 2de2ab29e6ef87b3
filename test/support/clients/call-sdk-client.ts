// The SDK's client, called in this process with streams and variables of its own.
import { Readable, Writable } from 'node:stream'
import { EXIT_CODES } from '../../../query/sdk/client/exit-codes.ts'
import { runClient } from '../../../query/sdk/client/run-client.ts'
import { type ClientInput, environmentOf, type Ran } from './run-sdk-client.ts'

export async function callSdkClient(
  words: readonly string[],
  given: ClientInput = {},
): Promise<Ran> {
  const [out, err] = [readAll(), readAll()]
  const ending = await runClient(words, {
    stdin: Readable.from([given.stdin ?? '']),
    stdout: out.stream,
    stderr: err.stream,
    env: environmentOf(given),
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
