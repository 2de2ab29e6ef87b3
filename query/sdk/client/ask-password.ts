// The password from the terminal without echo, or the first line of what is piped in.
import { createInterface } from 'node:readline/promises'
import type { ReadStream } from 'node:tty'

const WAIT_MS = 120_000
const MAX_CHARACTERS = 4096
const ENTER = new Set(['\r', '\n', '\u0004'])
const ERASE = new Set(['\u007f', '\b'])
const INTERRUPT = '\u0003'

/** False where nobody can answer. */
export async function askWhetherToGoOn(
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<boolean> {
  if (input.isTTY !== true) return false
  const lines = createInterface({ input, output })
  try {
    const signal = AbortSignal.timeout(WAIT_MS)
    return /^y(es)?$/i.test((await lines.question('Go on? (y/n) ', { signal })).trim())
  } catch {
    return false
  } finally {
    lines.close()
  }
}

/** undefined: given up, nothing came, or too much. */
export function askPassword(
  input: ReadStream | (NodeJS.ReadableStream & { isTTY?: false }),
  output: NodeJS.WritableStream,
): Promise<string | undefined> {
  const terminal = input.isTTY === true ? input : undefined
  if (terminal !== undefined) output.write('Password: ')
  terminal?.setRawMode(true)
  input.setEncoding('utf8')
  return new Promise((resolve) => {
    let typed = ''
    const end = (password: string | undefined) => {
      clearTimeout(timer)
      input.off('data', take)
      input.off('end', finish)
      terminal?.setRawMode(false)
      input.pause()
      if (terminal !== undefined) output.write('\n')
      resolve(password)
    }
    const finish = () => end(typed === '' ? undefined : typed)
    const take = (text: string | Buffer) => {
      for (const character of text.toString()) {
        if (ENTER.has(character)) return end(typed)
        if (character === INTERRUPT && terminal !== undefined) return end(undefined)
        if (ERASE.has(character) && terminal !== undefined) typed = [...typed].slice(0, -1).join('')
        else typed += character
      }
      if (typed.length > MAX_CHARACTERS) end(undefined)
    }
    const timer = setTimeout(() => end(undefined), WAIT_MS)
    input.on('data', take)
    input.on('end', finish)
    input.resume()
  })
}
