// A test start only, over what `npm start` has built: the writer takes for granted that nothing of
// a batch is there and that no request is a repeat. A campaign on such a start must find doubles.
import { BlockReader } from '../../../dist/ingest/writer/block-reader.js'
import { StoreKeys } from '../../../dist/ingest/writer/keys/stored-keys.js'
import { StoreTables } from '../../../dist/ingest/writer/store-tables.js'

StoreTables.prototype.unitsThere = () => Promise.resolve([])
StoreTables.prototype.monthsCounted = () => Promise.resolve(new Set())
StoreKeys.prototype.find = () => Promise.resolve(new Map())

const resolve = BlockReader.prototype.resolve
BlockReader.prototype.resolve = function (blocks, _keys, stored) {
  return resolve.call(this, blocks, new Forgetful(), stored)
}

class Forgetful extends Map {
  get() {
    return undefined
  }
}
