// One PostgreSQL server for all tests of a run that need one; or one that runs already, by
// LOGEYE_TEST_POSTGRES (the address of a user who may make schemas, roles and databases).
import { type PostgresServer, postgresBin, startPostgres } from './postgres-server.ts'

let server: PostgresServer | undefined

export async function setup(): Promise<void> {
  if (process.env.LOGEYE_TEST_POSTGRES || postgresBin() === undefined) return
  server = await startPostgres()
  process.env.LOGEYE_TEST_POSTGRES = server.url
  process.env.LOGEYE_TEST_POSTGRES_CA = server.caFile
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
