// uWS tells the end of a body before it looks at the bytes behind it, and closes the connection for
// many that follow: a second request, a trailer, rubbish. A request is run when its packet has been
// read to the end, so that none is stored that is never answered.
const waiting: (() => void)[] = []

/** In the order of the calls, once the packets of this turn have been read. The exchange may be
 *  aborted by then. */
export function afterPacket(run: () => void): void {
  if (waiting.length === 0) setImmediate(runAll)
  waiting.push(run)
}

/** None of them may throw. */
function runAll(): void {
  for (const run of waiting.splice(0)) run()
}
