// What is watched for security. CloudTrail, Windows events and Zeek write JSON: an event of
// JSON has its keys for columns anyway, and these templates are for such lines inside of text.
import type { Template } from './template.ts'

const ZEEK_START =
  '{timestamp:Date,product=1000}{tab}{word:UID}{tab}{ip:Remote IP,ftype=remoteip}{tab}{number:Remote Port}{tab}{ip:Local IP,ftype=localip}{tab}{number:Local Port,ftype=serverport}'

export const SECURITY_TEMPLATES: readonly Template[] = [
  {
    name: 'CloudTrail',
    logTypes: ['aws', 'cloudtrail', 'audit'],
    patterns: ['{json}{eoe}'],
  },
  {
    name: 'Windows events',
    logTypes: ['windows', 'event', 'sysmon'],
    patterns: ['{json}{eoe}'],
  },
  {
    name: 'Zeek',
    logTypes: ['zeek', 'bro', 'network'],
    patterns: [
      `${ZEEK_START}{tab}{choice:Protocol,tcp;udp;icmp;unknown_transport}{tab}{text:Service}{tab}{number:Duration}{tab}{number:Bytes Received}{tab}{number:Bytes Sent,ftype=bytesent}{tab}{word:State}{tab}{word:Local Origin}{tab}{word:Local Response}{tab}{number:Missed Bytes}{tab}{word:History}{tab}{number:Packets Received}{tab}{number:IP Bytes Received}{tab}{number:Packets Sent}{tab}{number:IP Bytes Sent}{tab}{text:Tunnel Parents}{eoe}`,
      `${ZEEK_START}{tab}{number:Depth}{tab}{word:Method,ftype=reqmethod}{tab}{text:Host}{tab}{url:URL,paramsFtype=querystring;ftype=requrl;paramsName=Query;,}{tab}{text:Referer}{tab}{word:Version}{tab}{text:User Agent}{tab}{number:Request Bytes}{tab}{number:Response Bytes,ftype=bytesent}{tab}{number:Status,ftype=respstatus}{tab}{text:Status Text}{tab}{text:Rest}{eoe}`,
      '{json}{eoe}',
      '#{word:Directive}{tab}{text:Value}{eoe}',
      '#{word:Directive} {text:Value}{eoe}',
    ],
  },
]
