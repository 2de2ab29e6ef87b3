// Small files of the kinds that the portal takes, made here: each byte is known.

export type ZipEntry = {
  readonly name: string
  readonly bytes?: Buffer
  /** As the list says, whatever is there. */
  readonly unpacked?: number
  readonly flags?: number
  /** Where the list says that it begins. */
  readonly at?: number
}

/** Stored, not packed. */
export function makeZip(entries: readonly ZipEntry[], comment = ''): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const { name, bytes = Buffer.from('<x/>'), flags = 0, ...told } of entries) {
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt32LE(bytes.length, 18)
    local.writeUInt32LE(bytes.length, 22)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt32LE(bytes.length, 20)
    entry.writeUInt32LE(told.unpacked ?? bytes.length, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(told.at ?? at, 42)
    list.push(entry, Buffer.from(name))
    parts.push(local, Buffer.from(name), bytes)
    at += local.length + Buffer.byteLength(name) + bytes.length
  }
  const listBytes = list.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listBytes, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, ...list, end, Buffer.from(comment)])
}

const MAIN = { docx: 'word/document.xml', xlsx: 'xl/workbook.xml', pptx: 'ppt/presentation.xml' }

export function officeEntries(kind: keyof typeof MAIN): ZipEntry[] {
  return [{ name: '[Content_Types].xml' }, { name: '_rels/.rels' }, { name: MAIN[kind] }]
}

export function makePng(...between: readonly Buffer[]): Buffer {
  const chunk = (name: string, bytes: Buffer = Buffer.alloc(0)) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(bytes.length, 0)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, bytes, Buffer.alloc(4)])
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.alloc(13, 1)),
    ...between.map((bytes) => chunk('tEXt', bytes)),
    chunk('IDAT', Buffer.alloc(40, 7)),
    chunk('IEND'),
  ])
}

export function makePdf(inside: string | Buffer = ''): Buffer {
  const head = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n')
  const end = Buffer.from('\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n')
  return Buffer.concat([head, Buffer.from(inside), end])
}

export const JPEG = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.alloc(50, 3),
  Buffer.from('ffd9', 'hex'),
])

export const SAMPLES: Readonly<Record<string, Buffer>> = {
  'Terms.pdf': makePdf(),
  'logo.PNG': makePng(),
  'photo.jpg': JPEG,
  'photo.jpeg': JPEG,
  'offer.docx': makeZip(officeEntries('docx')),
  'prices.xlsx': makeZip(officeEntries('xlsx')),
  'slides.pptx': makeZip(officeEntries('pptx')),
  'notes.txt': Buffer.from('\ufeffGrüße\r\n\tund mehr'),
  'prices.csv': Buffer.from('item,price\nlogs,12.50 €\n'),
  'read.md': Buffer.from('# Title\n\n<b>bold</b> as Markdown has it\n'),
}
