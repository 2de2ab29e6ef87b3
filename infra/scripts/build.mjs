// Compiles when something is newer than what was compiled: `npm start` runs this each time, so a
// run with nothing to do must cost little. The stamp in dist/ is a hash of the names, sizes and
// times of all sources; it is written last, so a build that failed is repeated.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = join(root, 'dist')
const stampFile = join(dist, '.stamp')
const FOLDERS = ['schemas', 'infra', 'ingest', 'query', 'roles']
const FILES = ['main.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json']
const isSource = (name) => name.endsWith('.ts')
const isScript = (name) => name.startsWith(join('infra', 'scripts'))
/** What runs us elsewhere is no part of the program. */
const DEPLOY = join('infra', 'deploy')

const inputs = listInputs()
const stamp = computeStamp(inputs)
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) build()

function build() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(compiler)) fail('the compiler is not installed: run npm ci first')
  rmSync(stampFile, { force: true })
  const run = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (run.status !== 0) fail('the sources do not compile')
  const assets = inputs.filter((name) => !isSource(name) && name.includes('/') && !isScript(name))
  for (const name of assets) {
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    copyFileSync(join(root, name), join(dist, name))
  }
  // What package.json names under `bin`.
  for (const name of ['main.js', 'query/sdk/client/main.js']) chmodSync(join(dist, name), 0o755)
  removeOrphans(assets)
  writeFileSync(stampFile, stamp)
}

function listInputs() {
  const found = FILES.filter((name) => existsSync(join(root, name)))
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (path === join(root, DEPLOY)) continue
      if (entry.isDirectory()) visit(path)
      else if (entry.isFile()) found.push(relative(root, path))
    }
  }
  for (const folder of FOLDERS) if (existsSync(join(root, folder))) visit(join(root, folder))
  return found.sort()
}

function computeStamp(names) {
  const hash = createHash('sha256')
  for (const name of names) {
    const { size, mtimeMs } = statSync(join(root, name))
    hash.update(`${name} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** What a source that is gone has left behind would still be imported. */
function removeOrphans(assets) {
  const wanted = new Set([...assets, '.stamp'])
  for (const name of inputs.filter(isSource)) {
    const compiled = name.replace(/\.ts$/, '.js')
    wanted.add(compiled).add(`${compiled}.map`)
  }
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) visit(path)
      else if (!wanted.has(relative(dist, path))) rmSync(path)
    }
  }
  visit(dist)
}

function fail(text) {
  process.stderr.write(`build: ${text}\n`)
  process.exit(1)
}
