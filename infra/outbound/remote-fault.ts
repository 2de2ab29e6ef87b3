// Files of another machine or storage cannot be reached now: nobody can say what is there.

/** Its message is for operators: it holds no secret, and nothing that the other side said. */
export class RemoteFault extends Error {
  readonly code = 'EREMOTE'
}
