// An S3 storage of the Python package moto on a free port. It checks signatures after the calls
// that make its bucket and its user.
import { spawn } from 'node:child_process'
import { findFreePort } from '../../../infra/supervisor/free-port.ts'
import { guardProcess } from '../machine/guard-process.ts'
import { type Missing, missing } from '../run/missing.ts'
import { spawnSync } from '../run/run-sync.ts'
import { testClock } from '../run/test-clock.ts'
import { waitForPort } from './ssh-server.ts'

const MODULES = process.env.LOGEYE_TEST_MOTO
const ENVIRONMENT = { ...process.env, ...(MODULES === undefined ? {} : { PYTHONPATH: MODULES }) }

/** The version that the tests were written against: others refuse the calls of its
 * administrator. */
const VERSION = '5.2.5'
const PROBE = `import moto.server, flask_cors; assert moto.__version__ == '${VERSION}'`

export const s3Missing = (): Missing =>
  missing(
    () => spawnSync('python3', ['-c', PROBE], { env: ENVIRONMENT }).status === 0,
    `an S3 server (the Python package moto ${VERSION})`,
  )

export type S3Server = {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  stop(): Promise<void>
}

const BUCKET = 'logs.example'
/** Of our own that come before keys are checked. */
const FREE_CALLS = 4

export async function startS3Server(): Promise<S3Server> {
  const port = await findFreePort(testClock)
  const server = spawn('python3', ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    env: { ...ENVIRONMENT, INITIAL_NO_AUTH_ACTION_COUNT: String(FREE_CALLS) },
    stdio: 'ignore',
  })
  guardProcess(server, 'KILL')
  await waitForPort(port)
  const endpoint = `http://127.0.0.1:${port}`
  const iam = async (fields: Record<string, string>) => {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: 'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/iam/aws4_request',
      },
      body: new URLSearchParams({ Version: '2010-05-08', ...fields }),
    })
    return await answer.text()
  }
  await iam({ Action: 'CreateUser', UserName: 'reader' })
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }],
  })
  await iam({ Action: 'PutUserPolicy', UserName: 'reader', PolicyName: 'p', PolicyDocument })
  await fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' })
  const made = await iam({ Action: 'CreateAccessKey', UserName: 'reader' })
  const read = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(made)?.[1] ?? ''
  return {
    ...{ endpoint, bucket: BUCKET },
    ...{ accessKey: read('AccessKeyId'), secretKey: read('SecretAccessKey') },
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      if (server.exitCode === null && server.kill('SIGKILL')) await ended
    },
  }
}
