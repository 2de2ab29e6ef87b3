// Access and error logs of web servers.
import type { Template } from './template.ts'

const METHODS = 'GET;POST;HEAD;PUT;DELETE;OPTIONS;PATCH;CONNECT;TRACE;PROPFIND'
const CLIENT = '{ip:Remote IP,ftype=remoteip}'
const NAMED_CLIENT = '{word:Remote Host,ftype=remotehost}'
const USER =
  '{word:Ident,ftype=remotelog} {text:User,ftype=remoteuser} [{date:Date,dd/MMM/yyyy:HH:mm:ss z}]'
const REQUEST = `"{choice:Method,ftype=reqmethod;,${METHODS}} {url:URL,paramsFtype=querystring;ftype=requrl;paramsName=Query;,} {word:Protocol,ftype=reqprotocol}"`
/** What is no request: `-`, or the bytes of a client that speaks another protocol. */
const ODD_REQUEST = '"{text:Request}"'
const RESPONSE = '{number:Status,ftype=respstatus} {number:Bytes Sent,ftype=bytesent}'
const AGENT = '"{text:Referer}" "{text:User Agent}"'

const optional = (inside: string) =>
  `{block,start,emptiness=true}${inside}{block,end,emptiness=true}`

const ACCESS_PATTERNS = [CLIENT, NAMED_CLIENT].flatMap((client) =>
  [REQUEST, ODD_REQUEST].flatMap((request) => [
    `${client} ${USER} ${request} ${RESPONSE} ${AGENT}{eoe}`,
    `${client} ${USER} ${request} ${RESPONSE}{eoe}`,
  ]),
)

const APACHE_LEVELS =
  'emerg;alert;crit;error;warn;notice;info;debug;trace1;trace2;trace3;trace4;trace5;trace6;trace7;trace8'
const APACHE_CLIENT = optional(`[client ${CLIENT}${optional(':{number:Remote Port}')}] `)

const NGINX_HEAD =
  '{date:Date,yyyy/MM/dd HH:mm:ss} [{priority:Level,emerg;alert;crit;error;warn;notice;info;debug}] {number:PID}#{number:TID}:'
const NGINX_CONNECTION = optional('*{number:Connection} ')

/** `#Fields:` of IIS 6 to 10, as they are set up at first and with what many add. */
const IIS_START = '{date:Date,yyyy-MM-dd HH:mm:ss}'
const IIS_REQUEST = `{ip:Local IP,ftype=localip} {word:Method,ftype=reqmethod} {word:URL,ftype=requrl} {word:Query,ftype=querystring} {number:Port,ftype=serverport} {word:User,ftype=remoteuser} ${CLIENT}`
const IIS_STATUS = '{number:Status,ftype=respstatus} {number:Substatus} {number:Win32 Status}'
const IIS_AGENT = '{word:User Agent}'
const IIS_PATTERNS = [
  `${IIS_START} ${IIS_REQUEST} ${IIS_AGENT} {word:Referer} ${IIS_STATUS} {number:Bytes Sent,ftype=bytesent} {number:Bytes Received} {number:Time Taken}{eoe}`,
  `${IIS_START} ${IIS_REQUEST} ${IIS_AGENT} {word:Referer} ${IIS_STATUS} {number:Time Taken}{eoe}`,
  `${IIS_START} ${IIS_REQUEST} ${IIS_AGENT} ${IIS_STATUS} {number:Time Taken}{eoe}`,
  `${IIS_START} {word:Site} ${IIS_REQUEST} ${IIS_AGENT} ${IIS_STATUS}{eoe}`,
  '#{text:Directive}: {text:Value}{eoe}',
]

export const WEB_TEMPLATES: readonly Template[] = [
  {
    name: 'Apache access',
    logTypes: ['httpd', 'apache', 'w3c', 'webserver', 'access'],
    patterns: ACCESS_PATTERNS,
  },
  {
    name: 'Apache error',
    logTypes: ['httpd', 'apache', 'w3c', 'webserver', 'error'],
    patterns: [
      `[{date:Date,EEE MMM dd HH:mm:ss.SSSSSS yyyy}] [{text:Module}:{priority:Level,${APACHE_LEVELS}}] [pid {number:PID}${optional(':tid {number:TID}')}] ${APACHE_CLIENT}{text:Message}{eoe}`,
      `[{date:Date,EEE MMM dd HH:mm:ss.SSSSSS yyyy}] [{priority:Level,${APACHE_LEVELS}}] ${APACHE_CLIENT}{text:Message}{eoe}`,
    ],
  },
  {
    name: 'nginx access',
    logTypes: ['nginx', 'webserver', 'access'],
    patterns: ACCESS_PATTERNS,
  },
  {
    name: 'nginx error',
    logTypes: ['nginx', 'webserver', 'error'],
    patterns: [
      `${NGINX_HEAD} ${NGINX_CONNECTION}{text:Message}, client: ${CLIENT}, server: {text:Server}${optional(`, request: "{word:Method,ftype=reqmethod} {url:URL,paramsFtype=querystring;ftype=requrl;paramsName=Query;,} {word:Protocol,ftype=reqprotocol}"`)}${optional(', upstream: "{text:Upstream}"')}${optional(', host: "{text:Host}"')}${optional(', referrer: "{text:Referer}"')}{eoe}`,
      `${NGINX_HEAD} ${NGINX_CONNECTION}{text:Message}{eoe}`,
    ],
  },
  {
    name: 'IIS W3C',
    logTypes: ['iis', 'w3c', 'webserver', 'access'],
    patterns: IIS_PATTERNS,
  },
]
