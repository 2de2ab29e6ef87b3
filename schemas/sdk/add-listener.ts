// Makes or changes a listener account.
import { z } from 'zod'
import { maskRulesValue } from '../masking/mask-rules-value.ts'
import {
  addressesValue,
  dropFilterValue,
  limitValue,
  sampledPercentValue,
} from '../masking/shaping-values.ts'
import { objectNameSchema } from '../users.ts'
import { accountAnswer, accountName } from './account.ts'
import { argument, type CommandEntry } from './argument.ts'
import { patternListValue } from './sample.ts'
import {
  flagValue,
  listValue,
  logNamePrefixValue,
  maskV4Value,
  maskV6Value,
  nodeNameValue,
  parentFolderValue,
  refusedValue,
  sourceSplitValue,
  splitColumnsValue,
  textValue,
  timeZoneValue,
  wholeNumberValue,
} from './values.ts'

export const addListener = {
  name: 'addListener',
  help: 'Makes an HTTP/S listener account and answers with its token, which is shown this once.',
  operation: 'data.listeners',
  sees: { kind: 'paths', paths: ['listener'] },
  target: 'name',
  input: z.strictObject({
    name: accountName,
    update: argument(flagValue.optional(), {
      description:
        'true: changes the account of this name; what is not given stays; applies to data received from then on',
      hint: 'true|false',
      isFlag: true,
    }),
    newToken: argument(flagValue.optional(), {
      description: 'with -update true: answers with a new token; the one before is refused then',
      hint: 'true|false',
      isFlag: true,
    }),
    oldTokenHours: argument(wholeNumberValue(1, 8760).optional(), {
      description: 'with -newToken true: for so many hours the token before is accepted as well',
      hint: '1-8760',
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    enabled: argument(flagValue.optional(), {
      description: 'whether its token is accepted; default true',
      hint: 'true|false',
      isFlag: true,
    }),
    parentFolder: argument(parentFolderValue.optional(), {
      description: 'folder under which its logs are made; default Events',
      hint: 'Web->Edge',
    }),
    collectionPolicy: argument(objectNameSchema.optional(), {
      description: 'collection policy of its logs; default Default',
      hint: '<name>',
    }),
    appTags: argument(listValue.optional(), {
      description: 'tags of its logs; a tag that does not exist is made',
      hint: 'a,b',
    }),
    logNamePrefix: argument(logNamePrefixValue.optional(), {
      description: 'first part of its log names; empty for none',
      hint: '<text>',
    }),
    splitBySource: argument(sourceSplitValue.optional(), {
      description:
        'one log; one log for each source, named prefix plus source; or one for each network, named prefix plus mask; default Do Not Split',
      hint: 'Do Not Split|Create Log by Unique IP/Host Name|Create Log by IP Mask (none|source|mask)',
    }),
    ipMask: argument(maskV4Value.optional(), {
      description: 'bits of an IPv4 address that name its network; default 24',
      hint: '24|255.255.255.0',
    }),
    ipMaskV6: argument(maskV6Value.optional(), {
      description: 'bits of an IPv6 address that name its network; default 64',
      hint: '64',
    }),
    messageKeys: argument(listValue.optional(), {
      description:
        'Message JSON Key: keys of the body that may hold the message, the first present counts; default message,msg,log,event',
      hint: 'message,log',
    }),
    splitColumns: argument(splitColumnsValue.optional(), {
      description:
        'Split by JSON Columns: keys whose values build the log path, the last one the log name; * marks the host key',
      hint: 'env->service->host*',
    }),
    timeKey: argument(textValue.optional(), {
      description:
        'key of the body that holds the time, tried before the usual ones; empty for none',
      hint: '<key>',
    }),
    timeZone: argument(timeZoneValue.optional(), {
      description: 'zone of times that name none; empty for the system time zone',
      hint: 'Europe/Berlin',
    }),
    jsonParsingLevel: argument(wholeNumberValue(0, 32).optional(), {
      description: 'how many levels of JSON become columns: 0 none, 1 the top level; default 3',
      hint: '0-32',
    }),
    template: argument(textValue.optional(), {
      description:
        'template of its lines of text (Content-Type text/plain), own or built in; its first lines begin the events; empty for none',
      hint: '<name>',
    }),
    pattern: argument(patternListValue.optional(), {
      description:
        'as template, the patterns themselves with @#@# between them, tried before those of the template; empty for none',
      hint: '{date:Date,yyyy-MM-dd HH:mm:ss} {string:Message}',
    }),
    maskRules: argument(maskRulesValue.optional(), {
      description:
        'rules of masking, applied to its events before anything of them is stored, @#@# between them: hash, cut or replace <text>, then email, card, ipv4, ipv6, bearer, iban, phone, column <name> or pattern <pattern>; empty for none',
      hint: 'hash email@#@#cut column user.password',
    }),
    dropFilter: argument(dropFilterValue.optional(), {
      description:
        'filter of the search language: events that it selects are counted and not stored; words and tests of columns, message, host and source; empty for none',
      hint: 'level = debug or "health check"',
    }),
    sampledPercent: argument(sampledPercentValue.optional(), {
      description: 'of a hundred of its other events so many are stored; default 100',
      hint: '0-100',
    }),
    allowedAddresses: argument(addressesValue.optional(), {
      description:
        'addresses and blocks (CIDR) from which its token is accepted; empty for every address',
      hint: '10.1.0.0/16,2001:db8::/32',
    }),
    maxEventsPerSecond: argument(limitValue.optional(), {
      description:
        'events a second that a listener takes of it, then it answers 500; 0 for no limit',
      hint: '<number>',
    }),
    maxBytesPerSecond: argument(limitValue.optional(), {
      description:
        'bytes a second that a listener takes of it, then it answers 500; 0 for no limit',
      hint: '<number>',
    }),
    maxBytesPerDay: argument(limitValue.optional(), {
      description:
        'bytes a day (UTC) that all listeners together take of it, then they answer 500; 0 for no limit',
      hint: '<number>',
    }),
    listeningNode: argument(nodeNameValue.optional(), {
      description:
        'in a system of several nodes: only this one takes its events, at others its token is not accepted; empty for every node; refused where there is one node',
      hint: '<node>',
    }),
    dataLocation: argument(
      refusedValue(
        'received data lies in the data directory of the product (LOGEYE_DATA_DIR), not by account',
      ).optional(),
      { description: 'Listener Data Location: refused, see LOGEYE_DATA_DIR', hint: '<directory>' },
    ),
    indexingNode: argument(
      refusedValue('every writer indexes what it stores, no node can be chosen').optional(),
      { description: 'refused: every writer indexes what it stores', hint: '<node>' },
    ),
    indexingInterval: argument(
      refusedValue('events are indexed all the time, as they are stored').optional(),
      {
        description: 'refused: events are indexed all the time, as they are stored',
        hint: '<seconds>',
      },
    ),
  }),
  answer: accountAnswer.extend({
    /** For a new account only, and shown only this once. */
    token: z.string().optional(),
    /** What of the collection policy that was given has no effect yet. */
    notes: z.array(z.string()).optional(),
  }),
} as const satisfies CommandEntry
