// A test start only, over what `npm start` has built: a request is answered before its events are
// flushed, or written at all. A campaign on such a start must find losses.
import { GroupCommit } from '../../../dist/ingest/listener/commit/group-commit.js'

const LATER_MS = 100
const add = GroupCommit.prototype.add
GroupCommit.prototype.add = function (partition, request, done) {
  setImmediate(() => done({ kind: 'durable', place: { partition, offset: 0 } }))
  setTimeout(() => add.call(this, partition, request, () => undefined), LATER_MS)
}
