// Which files are taken, by the end of their names; what they are is told by their content.

import { inspectJpeg, inspectPdf } from './framed.ts'
import type { Inspector } from './inspector.ts'
import { refuseFile } from './inspector.ts'
import { inspectOffice } from './office.ts'
import { inspectPng } from './png.ts'
import { inspectText } from './text.ts'

type FileType = {
  readonly mediaType: string
  /** What senders call it as well. */
  readonly also?: readonly string[]
  readonly inspect: () => Inspector
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const ZIPS = ['application/zip', 'application/x-zip-compressed']
const JPEG: FileType = { mediaType: 'image/jpeg', also: ['image/jpg'], inspect: inspectJpeg }
const office = (kind: string, main: string): FileType => ({
  ...{ mediaType: `${OFFICE}.${kind}`, also: ZIPS },
  inspect: () => inspectOffice(main),
})

const TYPES: ReadonlyMap<string, FileType> = new Map(
  Object.entries({
    pdf: { mediaType: 'application/pdf', inspect: inspectPdf },
    png: { mediaType: 'image/png', inspect: inspectPng },
    jpg: JPEG,
    jpeg: JPEG,
    docx: office('wordprocessingml.document', 'word/document.xml'),
    xlsx: office('spreadsheetml.sheet', 'xl/workbook.xml'),
    pptx: office('presentationml.presentation', 'ppt/presentation.xml'),
    txt: { mediaType: 'text/plain', inspect: inspectText },
    // Windows calls it the table's program.
    csv: {
      mediaType: 'text/csv',
      also: ['text/plain', 'application/csv', 'application/vnd.ms-excel'],
      inspect: inspectText,
    },
    md: {
      mediaType: 'text/markdown',
      also: ['text/plain', 'text/x-markdown'],
      inspect: inspectText,
    },
  }),
)
/** Says nothing. */
const ANY = 'application/octet-stream'

/** By its name; what the sender calls it must fit. Throws portal.file_refused. */
export function findFileType(name: string, called: string): FileType {
  const end = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = TYPES.get(end)
  if (type === undefined)
    throw refuseFile(
      `its name must end in one of ${[...TYPES.keys()].map((it) => `.${it}`).join(' ')}`,
    )
  const names = [ANY, type.mediaType, ...(type.also ?? [])]
  if (!names.includes(called)) throw refuseFile('its Content-Type is not what its name says')
  return type
}
