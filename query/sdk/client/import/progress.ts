// How far an import has come, for a person.
import { formatByteSize } from '../../../../schemas/byte-size.ts'

const TERMINAL_EVERY_MS = 500
const FILE_EVERY_MS = 10_000

export type Progress = {
  readonly accepted: number
  readonly rejected: number
  /** Of the file. */
  readonly readBytes: number
  readonly fileBytes: number
  /** Since this run began, in which `ranBytes` of the file were read. */
  readonly elapsedMs: number
  readonly ranBytes: number
}

/** `12.5 MiB of 100 MiB (12 %), 34000 events, 3 rejected, 8.1 MiB/s, 11 s left`. */
export function printProgress(progress: Progress): string {
  const { accepted, rejected, readBytes, fileBytes, elapsedMs, ranBytes } = progress
  const bytesPerSecond = elapsedMs < 1 ? 0 : ranBytes / (elapsedMs / 1000)
  const left =
    bytesPerSecond === 0 ? '' : `, ${printLength((fileBytes - readBytes) / bytesPerSecond)} left`
  return [
    `${formatByteSize(readBytes)} of ${formatByteSize(fileBytes)} (${Math.floor((100 * readBytes) / Math.max(1, fileBytes))} %)`,
    `${accepted} events`,
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    `${formatByteSize(bytesPerSecond)}/s${left}`,
  ].join(', ')
}

function printLength(seconds: number): string {
  const whole = Math.ceil(Math.max(0, seconds))
  if (whole < 120) return `${whole} s`
  return whole < 7200 ? `${Math.ceil(whole / 60)} min` : `${(whole / 3600).toFixed(1)} h`
}

/** Prints now and then: over the last line of a terminal, else a line each. */
export function openProgressLine(
  output: NodeJS.WritableStream & { readonly isTTY?: boolean },
  elapsedMs: () => number,
): { show(text: string): void; end(): void } {
  const isTerminal = output.isTTY === true
  const everyMs = isTerminal ? TERMINAL_EVERY_MS : FILE_EVERY_MS
  let nextMs = elapsedMs() + everyMs
  let isOpen = false
  return {
    show: (text) => {
      if (elapsedMs() < nextMs) return
      nextMs = elapsedMs() + everyMs
      output.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`)
      isOpen = isTerminal
    },
    end: () => {
      if (isOpen) output.write('\n')
      isOpen = false
    },
  }
}
