// A test start only: the writer takes for granted that nothing of a batch is there and that no request is a repeat. A campaign on
// such a start must find doubles.
import { BlockReader } from '../../../ingest/writer/block-reader.ts'
import { StoreTables } from '../../../ingest/writer/store-tables.ts'
import { StoreKeys } from '../../../ingest/writer/stored-keys.ts'

StoreTables.prototype.unitsThere = () => Promise.resolve([])
StoreTables.prototype.monthsCounted = () => Promise.resolve(new Set())
StoreKeys.prototype.find = () => Promise.resolve(new Map())

const resolve = BlockReader.prototype.resolve
BlockReader.prototype.resolve = function (blocks, _keys, stored) {
  return resolve.call(this, blocks, new Forgetful(), stored)
}

class Forgetful<Key, Value> extends Map<Key, Value> {
  override get(): undefined {
    return undefined
  }
}
