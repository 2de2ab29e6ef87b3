// Built pages of a folder, read once at the start: names that hold a hash are kept by browsers for
// good, pages are asked for again with their ETag. What the build compressed is sent compressed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** dist/web: beside the compiled program, or below the sources that a test runs. */
const FOLDERS = ['../../web', '../../dist/web'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
/** The better one first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

type Variant = { readonly encoding: string | undefined; readonly bytes: Uint8Array<ArrayBuffer> }
type StaticFile = {
  readonly type: string
  readonly etag: string
  readonly isPage: boolean
  readonly variants: readonly Variant[]
}

export type StaticFiles = {
  /** `name`: of a file below the folder, such as assets/console-1a2b3c.js. undefined: there is no
   *  such file. */
  answer(name: string, request: Request): Response | undefined
}

/** Without a build it has no files. */
export function openStaticFiles(): StaticFiles {
  const folder = FOLDERS.find((path) => existsSync(join(path, '.stamp')))
  const files = folder === undefined ? new Map<string, StaticFile>() : readFiles(folder)
  return {
    answer: (name, request) => {
      const file = files.get(name)
      return file && answerFile(file, request)
    },
  }
}

function readFiles(folder: string): Map<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)))
  const known = new Set(names)
  const files = new Map<string, StaticFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const bytes = read(name)
    const compressed = ENCODINGS.filter(({ suffix }) => known.has(`${name}${suffix}`)).map(
      ({ name: encoding, suffix }): Variant => ({ encoding, bytes: read(`${name}${suffix}`) }),
    )
    files.set(name, {
      type,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      isPage: name.endsWith('.html'),
      variants: [...compressed, { encoding: undefined, bytes }],
    })
  }
  return files
}

function answerFile({ type, etag, isPage, variants }: StaticFile, request: Request): Response {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const found = variants.find(({ encoding }) => encoding === undefined || takes(accepted, encoding))
  // One representation, one tag.
  const tag = found?.encoding === undefined ? etag : `${etag.slice(0, -1)}-${found.encoding}"`
  const headers = new Headers({
    'content-type': type,
    etag: tag,
    vary: 'accept-encoding',
    'cache-control': isPage ? 'no-cache' : 'public, max-age=31536000, immutable',
  })
  if (isPage) headers.set('content-security-policy', PAGE_POLICY)
  const given = request.headers.get('if-none-match') ?? ''
  if (given.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
    return new Response(null, { status: 304, headers })
  if (found?.encoding !== undefined) headers.set('content-encoding', found.encoding)
  return new Response(found?.bytes ?? null, { headers })
}

function takes(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
  })
}
