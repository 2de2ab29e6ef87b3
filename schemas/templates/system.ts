// Syslog, and what Linux and containers write.
import type { Template } from './template.ts'

const optional = (inside: string) =>
  `{block,start,emptiness=true}${inside}{block,end,emptiness=true}`

const PRIORITY = optional('<{number:Facility and Severity}>')
const LOCAL_TIME = '{date:Date,MMM d HH:mm:ss.SSS}'
const ISO_TIME = "{date:Date,yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX}"
const PROGRAM = `{word:Host} {word:Program}${optional('[{number:PID}]')}:`

/** Of either time. */
const both = (rest: string) => [
  `${PRIORITY}${LOCAL_TIME} ${rest}{eoe}`,
  `${PRIORITY}${ISO_TIME} ${rest}{eoe}`,
]

const NEW_HEAD = `<{number:Facility and Severity}>{number:Version} ${ISO_TIME} {word:Host} {word:Program} {word:PID} {word:Message ID}`

const SSH =
  'for {block,start,emptiness=true}invalid user {block,end,emptiness=true}{text:User,ftype=remoteuser} from {ip:Remote IP,ftype=remoteip} port {number:Remote Port}'

export const SYSTEM_TEMPLATES: readonly Template[] = [
  {
    name: 'Syslog RFC 3164',
    logTypes: ['syslog', 'rfc3164'],
    patterns: [...both(`${PROGRAM} {text:Message}`), ...both('{word:Host} {text:Message}')],
  },
  {
    name: 'Linux authentication',
    logTypes: ['linux', 'auth', 'secure', 'syslog'],
    patterns: [
      ...both(`${PROGRAM} {choice:Result,Accepted;Failed} {word:Method} ${SSH}`),
      ...both(
        `${PROGRAM} pam_unix({text:Service}): session {choice:Result,opened;closed} for user {word:User,ftype=remoteuser}${optional(' by {text:By}')}`,
      ),
      ...both(
        `${PROGRAM} {word:User,ftype=remoteuser} : TTY={word:TTY} ; PWD={text:Directory} ; USER={word:Target User} ; COMMAND={text:Command}`,
      ),
      ...both(`${PROGRAM} {text:Message}`),
    ],
  },
  {
    name: 'Syslog RFC 5424',
    logTypes: ['syslog', 'rfc5424'],
    patterns: [
      `${NEW_HEAD} - {text:Message}{eoe}`,
      `${NEW_HEAD} [{text:Structured Data}] {text:Message}{eoe}`,
      `${NEW_HEAD} [{text:Structured Data}]{text:Message}{eoe}`,
    ],
  },
  {
    name: 'Docker',
    logTypes: ['docker', 'container', 'json-file'],
    patterns: ['{json}{eoe}'],
  },
  {
    name: 'Kubernetes container',
    logTypes: ['kubernetes', 'container', 'cri'],
    patterns: [`${ISO_TIME} {choice:Stream,stdout;stderr} {choice:Part,F;P} {text:Message}{eoe}`],
  },
  {
    name: 'Kubernetes component',
    logTypes: ['kubernetes', 'klog', 'glog'],
    patterns: [
      '{choice:Level,I;W;E;F}{date:Date,MMdd HH:mm:ss.SSSSSS} {number:Thread} {word:Source}:{number:Line}] {string:Message}',
    ],
  },
]
