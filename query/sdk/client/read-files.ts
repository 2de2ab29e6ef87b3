// Arguments that name a file: the server gets the first part of its text.
import { closeSync, openSync, readSync } from 'node:fs'
import { listArguments, type SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { MAX_SAMPLE_BYTES } from '../../../schemas/sdk/sample.ts'

type ReadFiles =
  | { readonly commandArguments: Readonly<Record<string, string>>; readonly notes: string[] }
  | { readonly fault: string }

const STANDARD_INPUT = 0

export function readFiles(
  command: SdkCommandName,
  given: Readonly<Record<string, string>>,
): ReadFiles {
  const commandArguments = { ...given }
  const notes: string[] = []
  for (const { name, isFile, maxFileBytes } of listArguments(command)) {
    const file = given[name]
    if (isFile !== true || file === undefined) continue
    try {
      const { text, isCut } = readStart(file, maxFileBytes ?? MAX_SAMPLE_BYTES)
      if (text === '') return { fault: `-${name}: ${file} is empty` }
      if (isCut && maxFileBytes !== undefined)
        return { fault: `-${name}: ${file} has more than ${maxFileBytes / 1024} KiB` }
      if (isCut) notes.push(`only the first ${MAX_SAMPLE_BYTES / 1024} KiB of ${file} count`)
      commandArguments[name] = text
    } catch {
      return { fault: `-${name}: ${file} cannot be read` }
    }
  }
  return { commandArguments, notes }
}

/** Up to a line end, when there is more of it. */
function readStart(file: string, maxBytes: number): { text: string; isCut: boolean } {
  const bytes = Buffer.alloc(maxBytes + 1)
  const handle = file === '-' ? STANDARD_INPUT : openSync(file, 'r')
  let length = 0
  try {
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, null)
      if (read === 0) break
      length += read
    }
  } finally {
    if (handle !== STANDARD_INPUT) closeSync(handle)
  }
  if (length <= maxBytes) return { text: bytes.toString('utf8', 0, length), isCut: false }
  const newline = bytes.lastIndexOf(10, maxBytes - 1)
  const end = newline > 0 ? newline + 1 : maxBytes
  return { text: bytes.toString('utf8', 0, end), isCut: true }
}
