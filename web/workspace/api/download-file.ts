import { saveFile } from '../../shared/save-file.ts'
import { askRaw } from './ask.ts'

/** A file of the API goes to the user's disk; a plain link would not say for whom the page acts.
 *  Throws CallError. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const answer = await askRaw(path, { accept: '*/*' })
  saveFile(name, await answer.blob())
}
