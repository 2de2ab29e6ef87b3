// Removes from node_modules what this platform and this Node cannot load: the packages with native
// parts bring those of every platform (uws-pack alone 24 binaries, 130 MB). `node
// prune-binaries.mjs node_modules`; fails when nothing loadable would be left.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of one package each: the name of the one that fits begins so. */
const FOLDERS = {
  '@chdb': (platform, arch) => `lib-${platform}-${arch}`,
  '@libsql': (platform, arch) => `${platform}-${arch}-gnu`,
  '@lmdb': (platform, arch) => `lmdb-${platform}-${arch}`,
}

const [root, platform = process.platform, arch = process.arch, abi = process.versions.modules] =
  process.argv.slice(2)
if (root === undefined) fail('usage: prune-binaries.mjs <node_modules> [platform] [arch] [abi]')

let freed = 0
for (const [scope, nameOf] of Object.entries(FOLDERS)) {
  const fitting = nameOf(platform, arch)
  keep(join(root, scope), (name) => name.startsWith(fitting) && !name.endsWith('-musl'))
}
const isNative = (name) => name.endsWith('.node')
const uws = `uws_${platform}_${arch}_${abi}.node`
// Without one for this Node, node:http serves.
keep(join(root, 'uWebSockets.js/dist/bin'), (name) => !isNative(name) || name === uws, true)
const lmdb = join(root, '@lmdb', `lmdb-${platform}-${arch}`)
const isOfAnother = (name) =>
  name.includes('musl') || (name.includes('.abi') && !name.includes(`.abi${abi}.`))
keep(lmdb, (name) => !isNative(name) || !isOfAnother(name))
console.log(`${(freed / 1e6).toFixed(0)} MB of other platforms removed`)

/** Removes the entries of a folder that are not wanted. A folder that is not there is a package
 *  that is not installed. */
function keep(folder, isWanted, mayBeEmpty = false) {
  if (!existsSync(folder)) return
  const names = readdirSync(folder)
  const kept = names.filter(isWanted)
  if (kept.length === 0 && !mayBeEmpty)
    fail(`${folder} has nothing for ${platform} ${arch}, Node ABI ${abi}`)
  for (const name of names.filter((it) => !kept.includes(it))) {
    const path = join(folder, name)
    freed += sizeOf(path)
    rmSync(path, { recursive: true })
  }
}

function sizeOf(path) {
  const { size } = statSync(path)
  if (!statSync(path).isDirectory()) return size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

function fail(text) {
  process.stderr.write(`prune-binaries: ${text}\n`)
  process.exit(1)
}
