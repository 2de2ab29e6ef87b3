import { markWords } from '../../../shared/query/searched-words.ts'

export function MarkedText({
  text,
  words,
}: {
  readonly text: string
  readonly words: readonly string[]
}) {
  return (
    <>
      {markWords(text, words).map((piece, at) =>
        piece.isMarked ? <mark key={`${at}`}>{piece.text}</mark> : piece.text,
      )}
    </>
  )
}
