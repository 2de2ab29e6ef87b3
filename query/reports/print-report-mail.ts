// The mail of a report: plain text, whatever names and texts of others stand in it. Pure.
import type { Report } from '../../infra/metastore/reports/reports.ts'
import type { Attachment } from './make-attachment.ts'

const MAX_SUBJECT_CHARACTERS = 200
const MAX_FAULTS = 20

export function printReportMail(
  { name, settings }: Pick<Report, 'name' | 'settings'>,
  attachment: Attachment,
  {
    due,
    owner,
    maxBytes,
  }: { readonly due: string; readonly owner: string; readonly maxBytes: number },
): { readonly subject: string; readonly text: string } {
  const { title, timeFrame, link, fileName, bytes, faults } = attachment
  const lines = [
    ...(settings.description === '' ? [] : [settings.description, '']),
    `Report ${name}: ${title}, ${timeFrame}, of ${due}.`,
    bytes === undefined
      ? `It is larger than the ${printMegabytes(maxBytes)} that a mail may carry, so nothing is attached. Open it here:`
      : `Attached: ${fileName}. The same in the console:`,
    link,
    ...(faults.length === 0 ? [] : ['', 'Parts that have no result:']),
    ...faults.slice(0, MAX_FAULTS).map((fault) => `- ${fault}`),
    '',
    `It shows what ${owner} may view.`,
  ]
  return { subject: oneLine(settings.subject || `Report ${name}`), text: plain(lines.join('\n')) }
}

function printMegabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${bytes} bytes` : `${Math.floor(bytes / 1_000_000)} MB`
}

/** A line end in it would begin another header. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  return [...line].slice(0, MAX_SUBJECT_CHARACTERS).join('')
}

function plain(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, ' ')
}
