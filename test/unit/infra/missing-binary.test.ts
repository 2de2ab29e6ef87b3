import { describe, expect, it } from 'vitest'
import { missingBinary } from '../../../infra/missing-binary.ts'

const machine = { platform: 'linux', arch: 'riscv64', version: 'v26.1.0' }

function failed(code: string | undefined, message: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

describe('a package without a binary for this machine', () => {
  it.each([
    [
      'libsql',
      'MODULE_NOT_FOUND',
      "Cannot find module '@libsql/linux-riscv64-gnu'\nRequire stack:\n- /srv/chdb/node_modules/libsql/index.js",
    ],
    [
      'lmdb',
      undefined,
      'No native build was found for platform=linux arch=riscv64 runtime=node abi=147 uv=1 libc=glibc node=26.1.0\n    attempted loading from: /srv/node_modules/lmdb and package: @lmdb/lmdb-linux-riscv64\n',
    ],
    ['chdb', 'CHDB_PLATFORM', 'chdb: no native binding for linux-riscv64. Expected optional …'],
    [
      'chdb',
      'ERR_DLOPEN_FAILED',
      "/lib/libm.so.6: version `GLIBC_2.35' not found (required by /srv/node_modules/@chdb/lib-linux-x64-gnu/chdb_node.node)",
    ],
    ['uWebSockets.js', 'MODULE_NOT_FOUND', "Cannot find module './bin/uws_linux_riscv64_147.node'"],
  ])('%s is named with platform, Node and what to do (%s)', (name, code, message) => {
    const failure = missingBinary(failed(code, message), machine)
    expect(failure?.code).toBe('start.refused')
    expect(failure?.message).toContain(
      `the package ${name} has no binary that loads here (linux-riscv64, Node 26.1.0): run 'npm ci'`,
    )
    expect(failure?.message).not.toContain('\n')
  })

  it.each([
    failed('MODULE_NOT_FOUND', "Cannot find module './own-file.ts'"),
    failed('ENOENT', 'lmdb'),
    new TypeError('x is not a function'),
    'libsql',
  ])('is no other error', (error) => {
    expect(missingBinary(error, machine)).toBeUndefined()
  })
})
