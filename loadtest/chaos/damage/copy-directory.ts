import { cpSync, lstatSync } from 'node:fs'

/** Of a product that has ended: all but the pipes, which are made anew at each start. Links stay as
 *  they are. */
export function copyDirectory(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !lstatSync(path).isFIFO(),
  })
}
