// The thread in which documents are made: charts and fonts are loaded here alone, and no search
// waits for them.
import { parentPort } from 'node:worker_threads'
import { describeError } from '../../../infra/logger.ts'
import type { DocumentQuestion } from './document-question.ts'
import { makeDocument } from './make-document.ts'

export type WorkerTask = { readonly id: number; readonly question: DocumentQuestion }
export type WorkerAnswer = { readonly id: number } & (
  | { readonly bytes: Uint8Array }
  | { readonly error: ReturnType<typeof describeError> }
)

const answer = (told: WorkerAnswer) => parentPort?.postMessage(told)

parentPort?.on('message', ({ id, question }: WorkerTask) => {
  makeDocument(question).then(
    (bytes) => answer({ id, bytes }),
    (error: unknown) => answer({ id, error: describeError(error) }),
  )
})
