// The thread in which documents and pictures are made: charts and fonts are loaded here alone, and
// no search waits for them.
import { parentPort } from 'node:worker_threads'
import { describeError } from '../../../infra/logger.ts'
import type { AlertPicture } from '../../../schemas/monitors/notice.ts'
import { makePicture } from '../../monitors/tell/make-picture.ts'
import type { DocumentQuestion } from './document-question.ts'
import { makeDocument } from './make-document.ts'

/** A dashboard's document, or the picture of an alert. */
export type WorkerQuestion = DocumentQuestion | { readonly picture: AlertPicture }
export type WorkerTask = { readonly id: number; readonly question: WorkerQuestion }
export type WorkerAnswer = { readonly id: number } & (
  | { readonly bytes: Uint8Array }
  | { readonly error: ReturnType<typeof describeError> }
)

const answer = (told: WorkerAnswer) => parentPort?.postMessage(told)

parentPort?.on('message', ({ id, question }: WorkerTask) => {
  const made = 'picture' in question ? makePicture(question.picture) : makeDocument(question)
  made.then(
    (bytes) => answer({ id, bytes }),
    (error: unknown) => answer({ id, error: describeError(error) }),
  )
})
