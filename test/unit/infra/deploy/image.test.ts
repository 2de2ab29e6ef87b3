import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { DEPLOY, readDeployFile } from '../../../support/deploy/deploy-files.ts'

const run = promisify(execFile)
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Exit status and what was said. */
async function runScript(name: string, args: readonly string[], environment = {}) {
  const options = { env: { ...process.env, ...environment } }
  try {
    const { stdout } = await run(process.execPath, [join(DEPLOY, name), ...args], options)
    return { status: 0, said: stdout }
  } catch (error) {
    const failed = error instanceof Error ? error : new Error('unknown')
    return {
      status: Number(Reflect.get(failed, 'code')),
      said: String(Reflect.get(failed, 'stderr')),
    }
  }
}

describe('the Dockerfile', () => {
  const stages = readDeployFile('Dockerfile')
    .split(/^FROM /m)
    .slice(1)
  const runtime = stages.find((stage) => stage.includes(' AS runtime\n')) ?? ''

  it('starts and checks in exec form, as a user of its own', () => {
    const instructions = readDeployFile('Dockerfile').matchAll(
      /^(ENTRYPOINT|CMD|HEALTHCHECK[^[]*CMD) (.*)$/gm,
    )
    for (const [, , form = ''] of instructions) expect(JSON.parse(form)).toBeInstanceOf(Array)
    expect(runtime).toMatch(/^USER 10001:10001$/m)
    expect(runtime).toMatch(/^STOPSIGNAL SIGTERM$/m)
    expect(runtime.indexOf('USER ')).toBeGreaterThan(runtime.lastIndexOf('RUN '))
  })

  it('pins its bases, and builds from the lock file', () => {
    const bases = [...readDeployFile('Dockerfile').matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)]
    expect(bases.map(([, image]) => image)).toHaveLength(2)
    for (const [, image] of bases) expect(image).toMatch(/:\d+\.\d+(\.\d+)?-/)
    expect(stages[0]).toContain('npm ci')
  })

  it('brings only what runs into the image', () => {
    const copied = [...runtime.matchAll(/^COPY --from=build (.*) \S+$/gm)].map(([, from]) => from)
    expect(copied).toEqual([
      '/usr/local/bin/node',
      '/build/package.json /build/LICENSE /build/infra/deploy/healthcheck.mjs',
      '/build/dist',
    ])
  })

  it('keeps secrets, data and tests out of what it is built from', () => {
    const lines = readDeployFile('Dockerfile.dockerignore').split('\n')
    expect(lines).toContain('*')
    expect(
      lines.filter((line) => /^!(data|test|infra\/deploy$|.*(env|secrets))/.test(line)),
    ).toEqual([])
  })
})

describe('prune-binaries.mjs', () => {
  const natives = {
    fitting: [
      'uWebSockets.js/dist/bin/uws_linux_x64_127.node',
      '@libsql/linux-x64-gnu/index.node',
      '@lmdb/lmdb-linux-x64/node.abi127.glibc.node',
      '@lmdb/lmdb-linux-x64/node.napi.glibc.node',
      '@chdb/lib-linux-x64-gnu/libchdb.so',
    ],
    others: [
      'uWebSockets.js/dist/bin/uws_linux_x64_115.node',
      'uWebSockets.js/dist/bin/uws_darwin_arm64_127.node',
      '@libsql/linux-x64-musl/index.node',
      '@libsql/win32-x64-msvc/index.node',
      '@lmdb/lmdb-linux-x64/node.abi115.glibc.node',
      '@lmdb/lmdb-linux-x64/node.napi.musl.node',
      '@lmdb/lmdb-darwin-x64/node.napi.node',
      '@chdb/lib-linux-arm64-gnu/libchdb.so',
      '@chdb/lib-linux-x64-musl/libchdb.so',
    ],
    plain: ['uWebSockets.js/dist/index.mjs', '@lmdb/lmdb-linux-x64/index.js', 'zod/index.js'],
  }

  function makeModules(): string {
    const root = mkdtempSync(join(tmpdir(), 'logeye-prune-'))
    ends.push(() => rmSync(root, { recursive: true }))
    for (const path of Object.values(natives).flat()) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), path)
    }
    return root
  }

  it('leaves what fits, and everything that is not native', async () => {
    const root = makeModules()
    const { status } = await runScript('prune-binaries.mjs', [root, 'linux', 'x64', '127'])
    expect(status).toBe(0)
    const left = (paths: readonly string[]) => paths.filter((path) => existsSync(join(root, path)))
    expect(left(natives.fitting)).toEqual(natives.fitting)
    expect(left(natives.others)).toEqual([])
    expect(left(natives.plain)).toEqual(natives.plain)
  })

  it('fails rather than leave nothing that can be loaded', async () => {
    const root = makeModules()
    const ofOthers = await runScript('prune-binaries.mjs', [root, 'linux', 's390x', '127'])
    expect(ofOthers).toMatchObject({ status: 1, said: expect.stringContaining('s390x') })
  })

  it('leaves no binary of uWebSockets.js where none fits: node:http serves there', async () => {
    const root = makeModules()
    const { status } = await runScript('prune-binaries.mjs', [root, 'linux', 'x64', '137'])
    expect(status).toBe(0)
    const bin = join(root, 'uWebSockets.js/dist/bin')
    expect(readdirSync(bin).filter((name) => name.endsWith('.node'))).toEqual([])
  })
})

describe('healthcheck.mjs', () => {
  async function serve(answer: object, status = 200): Promise<string> {
    const server: Server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => void server.close())
    return String((server.address() as AddressInfo).port)
  }

  const check = async (port: string, ...parts: string[]) =>
    (await runScript('healthcheck.mjs', parts, { LOGEYE_HTTP_PLAIN_PORT: port })).status

  it('follows the readiness of the product, or of the parts it is given', {
    timeout: 60_000,
  }, async () => {
    const processes = { front: { started: true, store: false, eventLog: true, listener: true } }
    const port = await serve({ ready: false, processes }, 503)
    expect(await check(port)).toBe(1)
    expect(await check(port, 'listener', 'eventLog')).toBe(0)
    expect(await check(port, 'listener', 'store')).toBe(1)
    expect(await check(port, 'writer')).toBe(1)
    expect(await check(await serve({ ready: true, processes: {} }))).toBe(0)
  })

  it('fails where nothing answers', async () => {
    expect(await check('1')).toBe(1)
  })
})
