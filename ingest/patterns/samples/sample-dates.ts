// Dates as they stand in logs, the longer ones first: what a suggestion tries.
import { DateReader } from '../values/date-reader.ts'

const FORMATS = [
  "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  "yyyy-MM-dd'T'HH:mm:ss,SSS",
  "yyyy-MM-dd'T'HH:mm:ss.SSS",
  'yyyy-MM-dd HH:mm:ss.SSS Z',
  'yyyy-MM-dd HH:mm:ss,SSS',
  'yyyy-MM-dd HH:mm:ss.SSS',
  'yyyy/MM/dd HH:mm:ss.SSS',
  'yyyyMMdd HH:mm:ss.SSS',
  'dd/MMM/yyyy:HH:mm:ss z',
  'EEE MMM dd HH:mm:ss.SSS yyyy',
  'EEE MMM dd HH:mm:ss z yyyy',
  'EEE, dd MMM yyyy HH:mm:ss z',
  'dd-MMM-yyyy HH:mm:ss.SSS',
  'MMM d, yyyy h:mm:ss a',
  'MMM d yyyy HH:mm:ss.SSS',
  'MMM d HH:mm:ss.SSS',
  'dd.MM.yyyy HH:mm:ss.SSS',
  'dd/MM/yyyy HH:mm:ss.SSS',
  'MM/dd/yyyy HH:mm:ss.SSS',
  'yy/MM/dd HH:mm:ss',
  'yyyy-MM-dd',
  'dd.MM.yyyy',
  'HH:mm:ss.SSS',
] as const

export type SampleDate = { readonly format: string; readonly reader: DateReader }

export const SAMPLE_DATES: readonly SampleDate[] = FORMATS.map((format) => ({
  format,
  reader: new DateReader(format),
}))
