// Compiles when something is newer than what was compiled: `npm start` runs this each time, so a
// run with nothing to do must cost little. The stamp in dist/ is a hash of the names, sizes and
// times of all sources; it is written last, so a build that failed is repeated. The pages (web/)
// have a stamp of their own in dist/web.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
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
const FOLDERS = ['schemas', 'infra', 'ingest', 'query', 'portal', 'roles']
const FILES = ['main.ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json']
const isSource = (name) => name.endsWith('.ts')
const isScript = (name) => name.startsWith(join('infra', 'scripts'))
/** What runs us elsewhere is no part of the program. */
const DEPLOY = join('infra', 'deploy')

const WEB = join('dist', 'web')
/** Of the pages: what they import, and what builds them. */
const WEB_FOLDERS = ['web', 'schemas']
const WEB_FILES = ['package-lock.json', join('infra', 'scripts', 'build-web.mjs')]

const inputs = listInputs(FOLDERS, FILES)
// The two do not wait for each other.
const done = await Promise.allSettled([
  whenChanged(stampFile, inputs, build),
  whenChanged(join(root, WEB, '.stamp'), listInputs(WEB_FOLDERS, WEB_FILES), buildWeb),
])
const failed = done.find(({ status }) => status === 'rejected')
if (failed !== undefined) {
  process.stderr.write(`build: ${failed.reason.message}\n`)
  process.exit(1)
}

async function whenChanged(file, names, work) {
  const stamp = computeStamp(names)
  if (existsSync(file) && readFileSync(file, 'utf8') === stamp) return
  rmSync(file, { force: true })
  await work()
  writeFileSync(file, stamp)
}

async function build() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(compiler)) throw new Error('the compiler is not installed: run npm ci first')
  await run([compiler, '-p', 'tsconfig.build.json'], 'the sources do not compile')
  const assets = inputs.filter((name) => !isSource(name) && name.includes('/') && !isScript(name))
  for (const name of assets) {
    mkdirSync(dirname(join(dist, name)), { recursive: true })
    copyFileSync(join(root, name), join(dist, name))
  }
  // What package.json names under `bin`.
  for (const name of ['main.js', 'query/sdk/client/main.js']) chmodSync(join(dist, name), 0o755)
  removeOrphans(assets)
}

async function buildWeb() {
  await run([join(root, 'infra', 'scripts', 'build-web.mjs')], 'the pages cannot be built')
}

async function run(args, message) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(message)
}

function listInputs(folders, files) {
  const found = files.filter((name) => existsSync(join(root, name)))
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (path === join(root, DEPLOY)) continue
      if (entry.isDirectory()) visit(path)
      else if (entry.isFile()) found.push(relative(root, path))
    }
  }
  for (const folder of folders) if (existsSync(join(root, folder))) visit(join(root, folder))
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
      if (path === join(root, WEB)) continue
      if (entry.isDirectory()) visit(path)
      else if (!wanted.has(relative(dist, path))) rmSync(path)
    }
  }
  visit(dist)
}
