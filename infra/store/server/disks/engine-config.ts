// The configuration of the engine with disks beside its own: a file in the data directory, made at
// each start. New parts are written to the engine's own disk as long as there is room; nothing is
// moved but by a statement.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DISK_PREFIX, OWN_DISK } from '../../../../schemas/store/disks.ts'
import { writeFlushed } from './write-flushed.ts'

const FILE = 'store-engine.xml'
const END = '</clickhouse>'

/** `ownFile`: what the engine is given without other disks. Gives the file's path. */
export function writeEngineConfig(
  dataDir: string,
  ownFile: string,
  directories: readonly string[],
): string {
  const disks = directories.map((path, at) => ({ path, name: `${DISK_PREFIX}${at + 1}` }))
  const text = `  <storage_configuration>
    <disks>
${disks.map(({ name, path }) => `      <${name}><type>local</type><path>${path}/</path></${name}>`).join('\n')}
    </disks>
    <policies>
      <default>
        <volumes>
${[OWN_DISK, ...disks.map(({ name }) => name)].map((name) => `          <${name}><disk>${name}</disk></${name}>`).join('\n')}
        </volumes>
        <move_factor>0</move_factor>
      </default>
    </policies>
  </storage_configuration>
`
  const own = readFileSync(ownFile, 'utf8')
  const path = join(dataDir, FILE)
  writeFlushed(
    path,
    own.replace(END, () => `${text}${END}`),
  )
  return path
}
