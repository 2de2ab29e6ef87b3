// `npm run dev`: builds and starts, and does both again when a source changes.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['schemas', 'infra', 'ingest', 'query', 'portal', 'roles', 'web']
const QUIET_MS = 200

let product
let timer
let isBusy = false
let isDirty = false

function build() {
  const script = join(root, 'infra', 'scripts', 'build.mjs')
  return spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' }).status === 0
}

function start() {
  const args = [join(root, 'dist', 'main.js'), 'start', ...process.argv.slice(2)]
  const started = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  started.on('exit', () => {
    if (product === started) product = undefined
  })
  product = started
}

function stop() {
  const running = product
  if (running === undefined) return Promise.resolve()
  return new Promise((resolve) => {
    running.once('exit', resolve)
    running.kill('SIGTERM')
  })
}

async function reload() {
  isDirty = true
  if (isBusy) return
  isBusy = true
  while (isDirty) {
    isDirty = false
    // What runs goes on while the new sources do not compile.
    if (build()) {
      await stop()
      start()
    }
  }
  isBusy = false
}

function noticed() {
  clearTimeout(timer)
  timer = setTimeout(() => void reload(), QUIET_MS)
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => void stop().then(() => process.exit(0)))
for (const folder of FOLDERS.filter((name) => existsSync(join(root, name))))
  watch(join(root, folder), { recursive: true }, noticed)
watch(join(root, 'main.ts'), noticed)
await reload()
