// What applications write: Java, and formats whose lines name their columns.
import type { Template } from './template.ts'

const LEVEL = '{priority:Level}'
const TIMES = [
  '{date:Date,yyyy-MM-dd HH:mm:ss,SSS}',
  '{date:Date,yyyy-MM-dd HH:mm:ss.SSS}',
  "{date:Date,yyyy-MM-dd'T'HH:mm:ss.SSSXXX}",
  "{date:Date,yyyy-MM-dd'T'HH:mm:ss,SSS}",
  '{date:Date,dd-MMM-yyyy HH:mm:ss.SSS}',
  '{date:Date,yy/MM/dd HH:mm:ss}',
]
/** Layouts of log4j, logback and Spring Boot, the narrower ones first. */
const LAYOUTS = [
  `${LEVEL} {number:PID} --- [{text:Thread}] {word:Logger} : {string:Message}`,
  `[{text:Thread}] ${LEVEL} {word:Logger} - {string:Message}`,
  `${LEVEL} [{text:Thread}] {word:Logger} - {string:Message}`,
  `${LEVEL} [{text:Thread}] {word:Logger} : {string:Message}`,
  `${LEVEL} [{text:Thread}] {word:Logger} {string:Message}`,
  `${LEVEL} {word:Logger}: {string:Message}`,
  `${LEVEL} {word:Logger} - {string:Message}`,
  `[{text:Thread}] ${LEVEL} {string:Message}`,
  `${LEVEL} {string:Message}`,
]

export const APPLICATION_TEMPLATES: readonly Template[] = [
  {
    name: 'log4j and logback',
    logTypes: ['java', 'log4j', 'logback', 'application'],
    patterns: LAYOUTS.flatMap((layout) => TIMES.map((time) => `${time} ${layout}`)),
  },
  {
    name: 'Java stack trace',
    logTypes: ['java', 'stacktrace', 'application'],
    patterns: [
      ...['{date:Date,MMM d HH:mm:ss} ', '{date:Date,yyyy-MM-dd HH:mm:ss,SSS} ', ''].map(
        (time) =>
          `${time}Exception in thread {block,start,emptiness=true}"{text:Thread}"{block,end,emptiness=true}{text:Thread Name} {word:Exception}: {string:Message}`,
      ),
      '{word:Exception}Exception: {string:Message}',
    ],
  },
  {
    name: 'logfmt',
    logTypes: ['logfmt', 'application'],
    patterns: ['{pairs}{eoe}'],
  },
  {
    name: 'Key and value',
    logTypes: ['keyvalue', 'kv', 'application'],
    patterns: [
      '{date:Date,MMM d HH:mm:ss} {word:Host} {text:Program}: {pairs}{eoe}',
      "{date:Date,yyyy-MM-dd'T'HH:mm:ss.SSSXXX} {pairs}{eoe}",
      '{date:Date,yyyy-MM-dd HH:mm:ss} {pairs}{eoe}',
      '{pairs}{eoe}',
    ],
  },
]
