// Files of another machine by SSH (docs/decisions/0117), against a real sshd behind a door that the
// test shuts: each line once, whatever becomes of the connection, the file or the collector.
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addAccount, changeAccount, collectByBook } from '../../support/collect/account-collect.ts'
import {
  type CollectPlace,
  openCollectPlace,
  type RunningCollector,
} from '../../support/collect/collect-place.ts'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { type SshServer, sshMissing, startSshServer } from '../../support/remote/ssh-server.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { repeatUntil } from '../../support/run/wait-until.ts'

describeUnless(sshMissing(), 'files by SSH', () => {
  let server: SshServer
  let door: TcpProxy
  let collect: CollectPlace
  let running: RunningCollector | undefined
  let written = 0
  let root = ''
  let logId = 0

  beforeAll(async () => {
    server = await startSshServer()
    door = await startTcpProxy(server.port)
    collect = await openCollectPlace()
    root = join(collect.files, 'remote')
    mkdirSync(root)
    const { userName, hostKey, privateKey } = server
    await addAccount(collect, {
      ...{ kind: 'ssh', name: 'edge', secrets: { privateKey } },
      settings: { host: '127.0.0.1', port: door.port, userName, hostKey },
    })
    logId = await collect.addLog('remote', { filePaths: [path('app.log*')], account: 'edge' })
  })
  afterAll(async () => {
    await running?.stop()
    await collect?.close()
    await door?.cut()
    await server?.stop()
  })

  const path = (name: string) => join(root, name)
  const write = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      written += 1
      appendFileSync(path('app.log'), `line ${String(written).padStart(6, '0')} of the far file\n`)
    }
  }
  const rotate = () => {
    renameSync(path('app.log'), path(`app.log.${written}`))
    writeFileSync(path('app.log'), '')
  }
  const numbers = async () =>
    (await collect.rows(logId)).map(({ message }) => Number(message.slice(5, 11)))
  const untilAll = async () => {
    const all = Array.from({ length: written }, (_, at) => at + 1)
    await collect.untilEqual(numbers, all)
  }
  const faultOf = () =>
    running?.telemetry
      .progress()
      .flatMap(({ faults }) => faults)
      .join('; ')

  const untilFault = (text: string) =>
    collect.until(`its fault says: ${text}`, () => faultOf()?.includes(text), faultOf)

  it('follows what is appended, and rotated', async () => {
    running = await collectByBook(collect)
    write(2000)
    await untilAll()
    write(10)
    rotate()
    write(20)
    await untilAll()
    // More than what was read of the one before.
    rotate()
    write(3000)
    await untilAll()
    const rotated = path(`app.log.${written - 3000}`)
    writeFileSync(`${rotated}.gz`, gzipSync(readFileSync(rotated)))
    rmSync(rotated)
    write(5)
    await untilAll()
    const [row] = await collect.place.engine.store.query<{ host: string; source: string }>({
      sql: `SELECT host, source FROM events WHERE log_id = ${logId} LIMIT 1`,
    })
    expect(row).toEqual({ host: '127.0.0.1', source: path('app.log') })
  })

  it('reads a file once that has two names by a link, or lies behind one', async () => {
    const real = path('real')
    mkdirSync(real)
    symlinkSync(real, path('linked'))
    const [file, link] = [join(real, 'app.log'), join(real, 'current')]
    let lines = 0
    const more = (count: number) => {
      for (let i = 0; i < count; i += 1) {
        lines += 1
        appendFileSync(file, `row ${lines} of it\n`)
      }
    }
    more(100)
    symlinkSync('app.log', link)
    const filePaths = [`${file}*`, link, path('linked/*'), path('linked/app.log')]
    const id = await collect.addLog('linked', { filePaths, account: 'edge' })
    const all = () => Array.from({ length: lines }, (_, at) => `row ${at + 1} of it`)
    running ??= await collectByBook(collect)
    const untilRead = () => collect.untilEqual(() => collect.messages(id), all())
    await untilRead()
    // A link that is new, or leads elsewhere, is a copy of nothing.
    for (let rotated = 1; rotated <= 2; rotated += 1) {
      more(5)
      renameSync(file, `${file}.${rotated}`)
      more(50)
      rmSync(link)
      symlinkSync(file, link)
      await untilRead()
    }
    // A second read of what is there would come before what is new.
    const laterMs = collect.clock.elapsedMs() + 7000
    await collect.until('files have settled', () => collect.clock.elapsedMs() > laterMs)
    more(1)
    await untilRead()
  })

  it('goes on when it was cut off, and when nobody answers any more', async () => {
    await door.cut()
    write(100)
    await untilFault('nothing listens there')
    rotate()
    write(100)
    await door.open()
    await untilAll()
    expect(faultOf()).toBe('')
    door.freeze()
    write(100)
    await untilFault('no answer in time')
    await door.cut()
    await door.open()
    await untilAll()
  })

  it('stores each line once when the collector is killed', async () => {
    await running?.stop()
    for (const [at, point] of (['note', 'append', 'appended'] as const).entries()) {
      write(3000)
      if (at === 1) rotate()
      const child = collect.fork(point, 2, 'edge')
      const isOver = () => child.exitCode !== null || child.signalCode !== null
      await repeatUntil(isOver, () => write(20))
      expect(child.signalCode).toBe('SIGKILL')
      if (at === 2) rotate()
    }
    running = await collectByBook(collect)
    await untilAll()
  })

  it('refuses another host key, and says so', async () => {
    const { port } = server
    const known = server.hostKey
    await door.cut()
    await server.stop()
    server = await startSshServer({ port })
    await door.open()
    write(10)
    await untilFault(`shows the host key ${server.hostKey}, not ${known}`)
    const before = (await numbers()).length
    expect(before).toBe(written - 10)
    // Its own key takes our sign-in as little as before.
    const { userName, hostKey } = server
    const settings = { host: '127.0.0.1', port: door.port, userName, hostKey: '' }
    await changeAccount(collect, 'edge', settings)
    await untilFault('is not confirmed')
    await changeAccount(collect, 'edge', { ...settings, hostKey })
    await untilFault('refuses this user')
  })
})
