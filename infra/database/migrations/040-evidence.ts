// Tamper evidence: the hash chain over the audit log, and the signed chain of what was done to
// stored events (docs/decisions/0111).
import { type Kysely, sql } from 'kysely'
import { GENESIS } from '../../evidence/chain-hash.ts'
import type { Migration } from './migration.ts'

export const evidenceTables: Migration = {
  number: 40,
  name: 'evidence',
  async apply(db) {
    await db.schema.alterTable('audit').addColumn('previous', 'text').execute()
    await db.schema.alterTable('audit').addColumn('hash', 'text').execute()
    await db.schema
      .createTable('chain_heads')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('evidence')
      .addColumn('number', 'bigint', (c) => c.primaryKey())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('previous', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('signature', 'text')
      .execute()
    await db.schema
      .createTable('evidence_keys')
      .addColumn('number', 'integer', (c) => c.primaryKey())
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('made_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('evidence_heads')
      .addColumn('target', 'text', (c) => c.primaryKey())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('failure', 'text', (c) => c.notNull())
      .execute()
    const last = await lastAuditEntry(db)
    // Entries of before have no hash: the chain begins behind them.
    await sql`insert into chain_heads values ('audit-begin', ${last}, ${GENESIS}),
      ('audit', ${last}, ${GENESIS}), ('evidence', 0, ${GENESIS})`.execute(db)
  },
}

async function lastAuditEntry(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{
    next: number
  }>`select next from sequences where name = 'audit'`.execute(db)
  return Number(rows[0]?.next ?? 1) - 1
}
