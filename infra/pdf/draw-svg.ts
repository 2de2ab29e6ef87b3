// A picture of vectors in a document, its text in the document's own font.
import drawOn from 'svg-to-pdfkit'
import type { Box, Paper, Struct } from './paper.ts'

/** What is not seen in the font is shown as a box there, too. */
export function drawSvg(
  paper: Paper,
  svg: string,
  { x, y, width, height }: Box,
  alt: string,
  parent: Struct,
): void {
  const seen = svg.replaceAll(/>([^<>]+)</g, (_, text: string) => `>${paper.printable(text)}<`)
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
