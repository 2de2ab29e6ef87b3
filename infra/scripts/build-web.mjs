// Builds the pages (web/) into dist/web, and compresses what comes out, so that no request waits for
// it. Run by build.mjs when something has changed.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const web = fileURLToPath(new URL('../../web', import.meta.url))
const dist = fileURLToPath(new URL('../../dist/web', import.meta.url))
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg'])
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn', mode: 'production' })
const files = readdirSync(dist, { recursive: true })
  .map((name) => join(dist, name))
  .filter((path) => statSync(path).isFile() && COMPRESSED.has(extname(path)))
await Promise.all(
  files.map(async (path) => {
    const bytes = readFileSync(path)
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, BROTLI))
    writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }),
)
