// What the engine (26.7) writes into the files of a part that stand in no checksum of its own. A
// text is called changed only when the engine cannot have written it. Pure.

export type WrittenFiles = {
  /** All of the part's directory. */
  readonly names: ReadonlySet<string>
  /** Undefined: it could not be read, or is not there. */
  readonly version: string | undefined
  readonly codec: string | undefined
  readonly substreams: string | undefined
}

/** What the engine tells of a part since it wrote or loaded it. */
export type ToldPart = {
  readonly isCompact: boolean
  readonly codec: string
  /** In the order of the part. */
  readonly columns: readonly ToldColumn[]
}

export type ToldColumn = { readonly column: string; readonly substreams: readonly string[] }

const CHECKSUMS_FILE = 'checksums.txt'
export const VERSION_FILE = 'metadata_version.txt'
export const CODEC_FILE = 'default_compression_codec.txt'
export const SUBSTREAMS_FILE = 'columns_substreams.txt'
/** Marks of each substream: such a part is not loaded without their names. */
const SUBSTREAM_MARKS = ['data.mrk4', 'data.cmrk4'] as const

const NUMBER = /^(0|[1-9]\d{0,9})$/
const HEAD = /^columns substreams version: 1\n(0|[1-9]\d*) columns:\n/
const COLUMN = /^([1-9]\d*) substreams for column `(\w+)`:$/
const PLAIN_NAME = /^\w+$/
/** Written for each dictionary (`.dict`), and told for those of dynamic paths alone. */
const DICTIONARY_PREFIX = '_prefix'

/** The file that was changed. Undefined: none, or it is not certain. `tableVersion` is as read
 *  after the files, since it only grows. */
export function findChanged(
  { names, version, codec, substreams }: WrittenFiles,
  told: ToldPart,
  tableVersion: number,
): string | undefined {
  if (!names.has(CHECKSUMS_FILE)) return CHECKSUMS_FILE
  // A part that was attached from another table has none.
  if (version !== undefined && !(NUMBER.test(version) && Number(version) <= tableVersion))
    return VERSION_FILE
  if (!names.has(CODEC_FILE)) return CODEC_FILE
  if (codec !== undefined && codec !== `CODEC(${told.codec})`) return CODEC_FILE
  if (!names.has(SUBSTREAMS_FILE))
    return told.isCompact && SUBSTREAM_MARKS.some((marks) => names.has(marks))
      ? SUBSTREAMS_FILE
      : undefined
  if (substreams === undefined || told.columns.some(({ column }) => !PLAIN_NAME.test(column)))
    return undefined
  return holdsSubstreams(substreams, told.columns) ? undefined : SUBSTREAMS_FILE
}

function holdsSubstreams(text: string, columns: readonly ToldColumn[]): boolean {
  const written = parseSubstreams(text)
  return (
    written !== undefined &&
    written.length === columns.length &&
    written.every((one, at) => {
      const told = columns[at]
      if (one.column !== told?.column) return false
      const known = new Set(told.substreams)
      const rest = one.substreams.filter((name) => known.has(name) || !isPrefixOf(name, known))
      return (
        rest.length === told.substreams.length &&
        rest.every((name, index) => name === told.substreams[index])
      )
    })
  )
}

function isPrefixOf(name: string, known: ReadonlySet<string>): boolean {
  return (
    name.endsWith(`.dict${DICTIONARY_PREFIX}`) &&
    known.has(name.slice(0, -DICTIONARY_PREFIX.length))
  )
}

/** Undefined: it is no such text. */
export function parseSubstreams(text: string): readonly ToldColumn[] | undefined {
  const [head = '', count] = HEAD.exec(text) ?? []
  if (count === undefined || !text.endsWith('\n')) return undefined
  const lines = text.slice(head.length, -1).split('\n')
  const columns: ToldColumn[] = []
  for (let at = 0; at < lines.length; ) {
    const [, many, column] = COLUMN.exec(lines[at] ?? '') ?? []
    if (many === undefined || column === undefined) return undefined
    const end = at + 1 + Number(many)
    const own = lines.slice(at + 1, end)
    if (end > lines.length || own.some((line) => !line.startsWith('\t'))) return undefined
    columns.push({ column, substreams: own.map((line) => line.slice(1)) })
    at = end
  }
  return columns.length === Number(count) ? columns : undefined
}
