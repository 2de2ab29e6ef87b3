// A document of pages (decision 0065): A4, embedded fonts, text that can be selected and read aloud
// (tagged), an outline, page numbers. Nothing in it comes from the moment or from chance: the same
// calls give the same bytes.
import PDFDocument from 'pdfkit'
import { BOX, type FontName, readFont, toPrintable } from './fonts.ts'
import { wrapText } from './wrap.ts'

export type Style = {
  readonly font: FontName
  readonly size: number
  readonly color: string
}

export const STYLES = {
  title: { font: 'bold', size: 22, color: '#1a1f36' },
  heading: { font: 'bold', size: 12, color: '#1a1f36' },
  strong: { font: 'bold', size: 9, color: '#1a1f36' },
  body: { font: 'regular', size: 9, color: '#1a1f36' },
  label: { font: 'regular', size: 9, color: '#697386' },
  small: { font: 'regular', size: 7.5, color: '#697386' },
} as const satisfies Record<string, Style>

export type Line = { readonly text: string; readonly style: Style }
export type Struct = PDFKit.PDFStructureElement
export type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const MARGIN = 56
const FOOTER_HEIGHT = 60
const LANDSCAPE_MARGIN = 30
const LANDSCAPE_FOOTER_HEIGHT = 36
const LINE_FACTOR = 1.45
/** An amount or a count: its figures have one width, so that they stand below each other, and its
 *  point is not drawn into a 7. */
const FIGURES = /^[\u2212\d., ]+(?:%|[A-Za-z]{1,3})?$/
const MARK = { size: 110, color: '#8792a2', opacity: 0.13, angle: -45 }

export type PaperOptions = {
  readonly title: string
  readonly author: string
  readonly subject: string
  /** Epoch milliseconds: the time that it tells of itself. */
  readonly madeMs: number
  /** At the foot of each page, before its number. */
  readonly footer: string
  /** Across each page; '' for none. */
  readonly mark: string
  /** Default: portrait. */
  readonly isLandscape?: boolean
}

export class Paper {
  readonly left: number
  readonly width: number
  readonly root: Struct
  /** Where the next thing stands. */
  y: number
  #hasBoxes = false
  readonly #doc: PDFKit.PDFDocument
  readonly #options: PaperOptions
  readonly #chunks: Buffer[] = []
  readonly #widths = new Map<string, number>()
  readonly #done: Promise<Buffer>
  readonly #footerHeight: number

  constructor(options: PaperOptions) {
    this.#options = options
    const { isLandscape = false } = options
    this.left = isLandscape ? LANDSCAPE_MARGIN : MARGIN
    this.#footerHeight = isLandscape ? LANDSCAPE_FOOTER_HEIGHT : FOOTER_HEIGHT
    this.y = this.left
    const made = new Date(options.madeMs)
    const { title, author, subject } = options
    const doc = new PDFDocument({
      ...{ size: 'A4', margin: 0, autoFirstPage: false, bufferPages: true },
      layout: isLandscape ? 'landscape' : 'portrait',
      ...{ pdfVersion: '1.7', tagged: true, lang: 'en', displayTitle: true, font: '' },
      info: {
        ...{ Title: title, Author: author, Subject: subject, CreationDate: made, ModDate: made },
        ...{ Creator: 'Logeye', Producer: 'Logeye' },
      },
    })
    this.#doc = doc
    doc.registerFont('regular', readFont('regular'))
    doc.registerFont('bold', readFont('bold'))
    this.#done = new Promise((resolve, reject) => {
      doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
      doc.on('end', () => resolve(Buffer.concat(this.#chunks)))
      doc.on('error', reject)
    })
    doc.font('regular')
    this.root = doc.struct('Document')
    doc.addStructure(this.root)
    doc.addPage()
    this.width = doc.page.width - 2 * this.left
  }

  get bottom(): number {
    return this.#doc.page.height - this.#footerHeight - this.left / 4
  }

  /** A box stands for a letter that the fonts do not have. */
  get hasBoxes(): boolean {
    return this.#hasBoxes
  }

  /** Room for one page of content. */
  get pageHeight(): number {
    return this.bottom - this.left
  }

  breakPage(): void {
    this.#doc.addPage()
    this.y = this.left
  }

  /** A new page, unless so much room is left. */
  keep(height: number): void {
    if (this.y + height > this.bottom) this.breakPage()
  }

  open(
    tag: string,
    parent: Struct = this.root,
    options: { readonly scope?: 'Column'; readonly alt?: string } = {},
  ): Struct {
    // `scope` is not in the types of the package (pdfkit 0.20.2).
    const given: object = options
    const opened = this.#doc.struct(tag, given)
    parent.add(opened)
    return opened
  }

  lineHeight({ size }: Style): number {
    return size * LINE_FACTOR
  }

  measure(text: string, { font, size }: Style): number {
    const key = `${font} ${size} ${text}`
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    const width = this.#doc.font(font, size).widthOfString(text, featuresOf(text))
    this.#widths.set(key, width)
    return width
  }

  /** What can be seen of the text, in lines of the width. */
  wrap(text: string, style: Style, width: number): Line[] {
    const seen = toPrintable(text, (codePoint) => this.#hasLetter(codePoint))
    this.#hasBoxes ||= seen.includes(BOX)
    const lines = wrapText(seen, width, (part) => this.measure(part, style))
    return lines.map((line) => ({ text: line, style }))
  }

  /** Part of `parent`, or of nothing that is read aloud. `whole`: what is read and found instead of
   *  a text that is cut. */
  draw(
    { text, style }: Line,
    place: { x: number; y: number },
    parent: Struct | undefined,
    whole?: string,
  ): void {
    const doc = this.#doc
    if (text === '') return
    if (parent === undefined) doc.markContent('Artifact', { type: 'Layout' })
    const told = whole === undefined ? {} : { actual: whole }
    const content = parent && doc.markStructureContent('Span', told)
    doc.font(style.font, style.size).fillColor(style.color)
    const top = place.y + (this.lineHeight(style) - style.size * 1.21) / 2
    doc.text(text, place.x, top, { lineBreak: false, ...featuresOf(text) })
    doc.endMarkedContent()
    if (content !== undefined) parent?.add(content)
  }

  rule(y: number, { from = this.left, to = this.left + this.width, color = '#e3e8ee' } = {}): void {
    const doc = this.#doc
    doc.markContent('Artifact', { type: 'Layout' })
    doc.moveTo(from, y).lineTo(to, y).lineWidth(0.75).strokeColor(color).stroke()
    doc.endMarkedContent()
  }

  /** Lines of the whole width, over pages where there are many. */
  write(
    text: string,
    options: {
      style?: Style
      tag?: string
      parent?: Struct
      gap?: number
      outline?: boolean
      keep?: number
    } = {},
  ): void {
    const { style = STYLES.body, tag = 'P', parent, gap = 0, outline = false, keep = 0 } = options
    const struct = this.open(tag, parent)
    const lines = this.wrap(text, style, this.width)
    this.keep(this.lineHeight(style) * (outline ? 3 : 1) + keep)
    if (outline) this.#doc.outline.addItem(lines.map((line) => line.text).join(' '))
    for (const line of lines) {
      this.keep(this.lineHeight(style))
      this.draw(line, { x: this.left, y: this.y }, struct)
      this.y += this.lineHeight(style)
    }
    struct.end()
    this.y += gap
  }

  /** What can be seen of the text, in one line. */
  printable(text: string): string {
    return toPrintable(text, (codePoint) => this.#hasLetter(codePoint))
  }

  /** Vectors and what else pdfkit draws, as one figure that is read aloud as `alt`; without it
   *  nothing is read. */
  figure(
    alt: string | undefined,
    parent: Struct | undefined,
    draw: (doc: PDFKit.PDFDocument) => void,
  ): void {
    const doc = this.#doc
    const struct = alt === undefined ? undefined : this.open('Figure', parent, { alt })
    const content = struct && doc.markStructureContent('Figure')
    if (struct === undefined) doc.markContent('Artifact', { type: 'Layout' })
    doc.save()
    draw(doc)
    doc.restore()
    doc.endMarkedContent()
    if (content !== undefined) struct?.add(content)
    struct?.end()
  }

  /** To an address, or to a place of this document (`markPlace`). */
  link(box: Box, to: { readonly url: string } | { readonly place: string }): void {
    const { x, y, width, height } = box
    if ('url' in to) this.#doc.link(x, y, width, height, to.url)
    else this.#doc.goTo(x, y, width, height, to.place)
  }

  markPlace(name: string): void {
    this.#doc.addNamedDestination(name, 'XYZ', this.left, this.y, null)
  }

  outline(title: string): void {
    this.#doc.outline.addItem(this.printable(title))
  }

  /** Foots and marks, on all pages. */
  async finish(): Promise<Buffer> {
    const doc = this.#doc
    const { start, count } = doc.bufferedPageRange()
    const { footer, mark } = this.#options
    const style = STYLES.small
    for (let at = 0; at < count; at += 1) {
      doc.switchToPage(start + at)
      const y = doc.page.height - this.#footerHeight + 12
      this.rule(y - 8)
      const number = `Page ${at + 1} of ${count}`
      const right = this.measure(number, style)
      const [line] = this.wrap(footer, style, this.width - right - 12)
      doc.markContent('Artifact', { type: 'Pagination' })
      doc.font(style.font, style.size).fillColor(style.color)
      const plain = { lineBreak: false }
      doc.text(line?.text ?? '', this.left, y, plain)
      doc.text(number, this.left + this.width - right, y, plain)
      doc.endMarkedContent()
      if (mark !== '') this.#stamp(mark)
    }
    this.root.end()
    doc.end()
    return await this.#done
  }

  #stamp(mark: string): void {
    const doc = this.#doc
    const style: Style = { font: 'bold', size: MARK.size, color: MARK.color }
    const { width, height } = doc.page
    doc.markContent('Artifact', { type: 'Pagination' })
    doc.save()
    doc.rotate(MARK.angle, { origin: [width / 2, height / 2] })
    doc.font(style.font, style.size).fillColor(style.color).fillOpacity(MARK.opacity)
    const left = (width - this.measure(mark, style)) / 2
    doc.font(style.font, style.size)
    doc.text(mark, left, (height - style.size) / 2, { lineBreak: false })
    doc.restore()
    doc.endMarkedContent()
  }

  #hasLetter(codePoint: number): boolean {
    this.#doc.font('regular')
    // What reads the font is not in the types of the package (pdfkit 0.20.2).
    const reader: unknown = Reflect.get(Reflect.get(this.#doc, '_font'), 'font')
    const has: unknown =
      typeof reader === 'object' && reader !== null
        ? Reflect.get(reader, 'hasGlyphForCodePoint')
        : undefined
    return typeof has === 'function' && has.call(reader, codePoint) === true
  }
}

/** Without features the package remembers the words that it has set, which is quicker by far. */
function featuresOf(text: string): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
  return FIGURES.test(text) ? { features: ['tnum'] } : {}
}
