// Files that begin and end as their format says, and are no second format beside: PDF and JPEG.
import { type Inspector, isAlsoZip, refuseFile, Tail, ZIP_REACH } from './inspector.ts'

/** Behind `%%EOF` stands a line end at most. */
const PDF_END = /startxref\s+\d+\s+%%EOF[\r\n \t]*$/
const PDF_END_REACH = 1024

export function inspectPdf(): Inspector {
  return inspectFramed((head, tail) => {
    const isPdf = /^%PDF-[12]\.\d/.test(head.toString('latin1'))
    return isPdf && PDF_END.test(tail.subarray(-PDF_END_REACH).toString('latin1'))
  })
}

export function inspectJpeg(): Inspector {
  return inspectFramed((head, tail) => {
    const [first, second, third, marker = 0] = head
    const isBegin = first === 0xff && second === 0xd8 && third === 0xff && marker >= 0xc0
    return isBegin && tail.at(-2) === 0xff && tail.at(-1) === 0xd9
  })
}

function inspectFramed(isRight: (head: Buffer, tail: Buffer) => boolean): Inspector {
  const tail = new Tail(ZIP_REACH)
  let head: Buffer = Buffer.alloc(0)
  return {
    add(chunk) {
      if (head.length < 16) head = Buffer.concat([head, chunk.subarray(0, 16)])
      tail.add(chunk)
    },
    end() {
      const last = tail.bytes()
      if (!isRight(head, last)) throw refuseFile('its content is not what its name says')
      if (isAlsoZip(last)) throw refuseFile('it is an archive as well')
    },
  }
}
