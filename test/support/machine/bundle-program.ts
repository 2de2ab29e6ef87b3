// Programs of test/support that tests run as processes, each with all that it imports in one file:
// to load hundreds of TypeScript files takes a second of a processor for every process.
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'

const root = process.cwd()
/** Within the checkout, where Node finds its packages. */
const directory = join(root, 'dist/test-programs', String(process.pid))
const bundled = new Map<string, Promise<string>>()

/** `program`: a TypeScript file, from the root of the checkout. Gives the file to start with Node,
 *  which is there until this worker ends. */
export function bundleProgram(program: string): Promise<string> {
  const known = bundled.get(program)
  if (known !== undefined) return known
  if (bundled.size === 0)
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const file = bundle(program)
  bundled.set(program, file)
  return file
}

async function bundle(program: string): Promise<string> {
  const name = `${basename(program, '.ts')}.mjs`
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: program,
      outDir: join(directory, basename(program, '.ts')),
      emptyOutDir: false,
      minify: false,
      sourcemap: 'inline',
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: name } },
    },
  })
  return join(directory, basename(program, '.ts'), name)
}
