// A picture of vectors in a document, its text in the document's own font.
import drawOn from 'svg-to-pdfkit'
import type { Box, Paper, Struct } from './paper.ts'

const TEXTS = /(<text[^<>]*>)([^<>]+)(?=<)/g
/** The font draws the point of 7.5 into its 7, which is then read as 75, unless they are parts. */
const POINTS = /(?<=\d)[.,](?=\d)/g

/** What is not seen in the font is shown as a box there, too. */
export function drawSvg(
  paper: Paper,
  svg: string,
  { x, y, width, height }: Box,
  alt: string,
  parent: Struct,
): void {
  const seen = svg.replaceAll(
    TEXTS,
    (_, tag: string, text: string) =>
      tag + paper.printable(text).replaceAll(POINTS, (point) => `<tspan>${point}</tspan>`),
  )
  paper.figure(alt, parent, (doc) => {
    drawOn(doc, seen, x, y, {
      ...{ width, height, preserveAspectRatio: 'xMidYMid meet' },
      fontCallback: (_, isBold) => (isBold ? 'bold' : 'regular'),
      warningCallback: () => {},
      // Nothing outside the picture is read.
      imageCallback: () => '',
    })
  })
}
