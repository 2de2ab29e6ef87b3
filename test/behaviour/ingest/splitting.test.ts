// Where events go: what `debug=1` says is what a search shows afterwards, for every rule of
// decisions 3.1-3.10.
import { describe, expect, it } from 'vitest'
import { expectAsExplained, type Sender } from '../../support/clients/explained-place.ts'

/** Folder path below the parent folder, log, host; 'ACCOUNT' stands for the account's name. */
type Place = readonly [path: string, log: string, host: string]
type Case = readonly [rule: string, sender: Sender, event: object, place: Place]

const PEER = '127.0.0.1'
const SOURCE = 'Create Log by Unique IP/Host Name'
const MASK = 'Create Log by IP Mask'
const columns = (splitColumns: string, more: Readonly<Record<string, string>> = {}): Sender => ({
  account: { splitColumns, ...more },
})

async function expectPlace([, sender, event, [path, log, host]]: Case): Promise<void> {
  const { explained, account } = await expectAsExplained(sender, (word) => ({
    message: word,
    ...event,
  }))
  const name = log.replace('ACCOUNT', account.trim())
  const folder = path === '' ? 'Events' : path.startsWith('/') ? path.slice(1) : `Events->${path}`
  expect(explained[0]).toMatchObject({ path: folder, log: name, host, template: null })
}

describe('the source device (decision 3.1)', () => {
  it.each<Case>([
    ['is the hostName parameter', { hostName: 'web-01' }, {}, ['', 'ACCOUNT', 'web-01']],
    ['is trimmed', { hostName: '  web 01 ' }, {}, ['', 'ACCOUNT', 'web 01']],
    ['is else the peer', {}, {}, ['', 'ACCOUNT', PEER]],
    [
      'is else the peer, also with an empty parameter',
      { hostName: '  ' },
      {},
      ['', 'ACCOUNT', PEER],
    ],
    [
      'is never what a peer that is not trusted forwards',
      { headers: { 'x-forwarded-for': '9.9.9.9' } },
      {},
      ['', 'ACCOUNT', PEER],
    ],
    [
      'is the host key of the split columns',
      columns('env->dev*'),
      { env: 'e', dev: 'd' },
      ['e', 'd', 'd'],
    ],
    [
      'is the host key before the log',
      columns('dev*->env'),
      { env: 'e', dev: 'd' },
      ['d', 'e', 'd'],
    ],
    [
      'is the parameter before the host key',
      { ...columns('env->dev*'), hostName: 'web' },
      { env: 'e', dev: 'd' },
      ['e', 'd', 'web'],
    ],
    [
      'is the peer when the host key is missing',
      columns('env->dev*'),
      { env: 'e' },
      ['e', 'unknown', PEER],
    ],
  ])('%s', async (...one) => expectPlace(one))
})

describe('the log (decision 3.2)', () => {
  it.each<Case>([
    ['is named as the account', {}, {}, ['', 'ACCOUNT', PEER]],
    [
      'is named by the prefix',
      { account: { logNamePrefix: 'pre fix' } },
      {},
      ['', 'pre fix', PEER],
    ],
    [
      'lies under the parent folder',
      { account: { parentFolder: 'Web->Edge', logNamePrefix: 'x' } },
      {},
      ['/Web->Edge', 'x', PEER],
    ],
    ['productName names it', {}, { productName: 'access' }, ['', 'access', PEER]],
    ['productPath gives the folder', {}, { productPath: 'a->b' }, ['a->b', 'ACCOUNT', PEER]],
    ['both', {}, { productPath: 'a', productName: 'n' }, ['a', 'n', PEER]],
    ['a number is its text', {}, { productPath: 1.5, productName: 7 }, ['1.5', '7', PEER]],
    ['an object is its text', {}, { productName: { a: [1] } }, ['', '{"a":[1]}', PEER]],
    ['an empty one is absent', {}, { productPath: ' ', productName: '' }, ['', 'ACCOUNT', PEER]],
    [
      'productType without a template is no column and changes nothing',
      {},
      { productType: 'of no template' },
      ['', 'ACCOUNT', PEER],
    ],
    [
      'by source',
      { account: { splitBySource: SOURCE }, hostName: 'web-01' },
      {},
      ['', 'web-01', 'web-01'],
    ],
    [
      'by source with prefix',
      { account: { splitBySource: SOURCE, logNamePrefix: 'edge' }, hostName: 'web-01' },
      {},
      ['', 'edge web-01', 'web-01'],
    ],
    [
      'by source and productName',
      { account: { splitBySource: SOURCE, logNamePrefix: 'edge' }, hostName: 'web-01' },
      { productName: 'access', productPath: 'p' },
      ['p', 'edge web-01 access', 'web-01'],
    ],
    [
      'by mask',
      { account: { splitBySource: MASK }, hostName: '10.1.2.3' },
      {},
      ['', '10.1.2.0/24', '10.1.2.3'],
    ],
    [
      'by another mask with prefix',
      {
        account: { splitBySource: MASK, ipMask: '255.255.0.0', logNamePrefix: 'net' },
        hostName: '10.1.2.3',
      },
      {},
      ['', 'net 10.1.0.0/16', '10.1.2.3'],
    ],
    [
      'by mask of IPv6',
      { account: { splitBySource: MASK }, hostName: '2001:db8:1:2:3::4' },
      {},
      ['', '2001:db8:1:2::/64', '2001:db8:1:2:3::4'],
    ],
    [
      'by mask of another width of IPv6',
      { account: { splitBySource: MASK, ipMaskV6: '48' }, hostName: '2001:db8:1:2:3::4' },
      {},
      ['', '2001:db8:1::/48', '2001:db8:1:2:3::4'],
    ],
    [
      'by mask of what is no address',
      { account: { splitBySource: MASK }, hostName: 'web-01.example' },
      {},
      ['', 'web-01.example', 'web-01.example'],
    ],
    [
      'by columns',
      columns('env->service->dev*'),
      { env: 'prod', service: 'pay', dev: 'd1' },
      ['prod->pay', 'd1', 'd1'],
    ],
    ['by one column', columns('env'), { env: 'prod' }, ['', 'prod', PEER]],
    [
      'by columns that are missing',
      columns('env->service'),
      { service: 's' },
      ['unknown', 's', PEER],
    ],
    ['by columns that are all missing', columns('env->service'), {}, ['unknown', 'unknown', PEER]],
    [
      'by columns that are no text',
      columns('a->b->c'),
      { a: 1.5, b: true, c: { x: 1 } },
      ['1.5->true', 'unknown', PEER],
    ],
    [
      'by columns before source',
      { account: { splitColumns: 'env->service', splitBySource: SOURCE }, hostName: 'h' },
      { env: 'prod', service: 'pay' },
      ['prod', 'pay', 'h'],
    ],
    [
      'by columns with productName and productPath',
      columns('env->service'),
      { env: 'prod', service: 'pay', productName: 'n', productPath: 'p->q' },
      ['p->q', 'pay n', PEER],
    ],
    [
      'by nested columns',
      columns('kubernetes.namespace_name->kubernetes.pod.name*'),
      { kubernetes: { namespace_name: 'shop', pod: { name: 'p-1' } } },
      ['shop', 'p-1', 'p-1'],
    ],
    [
      'by a key with a dot before a nested one',
      columns('a.b->c'),
      { 'a.b': 'literal', a: { b: 'nested' }, c: 'x' },
      ['literal', 'x', PEER],
    ],
  ])('%s', async (...one) => expectPlace(one))
})

describe('names (decision 3.4)', () => {
  it.each<Case>([
    ['are trimmed', {}, { productPath: ' a -> b ', productName: ' n ' }, ['a->b', 'n', PEER]],
    [
      'have no separators and control characters',
      {},
      { productName: 'a|b->c@#@#d\u0000e\nf\u0085g' },
      ['', 'a_b_c_d_e_f_g', PEER],
    ],
    ['may be dots', {}, { productPath: '.->..', productName: '..' }, ['.->..', '..', PEER]],
    [
      'of 300 characters are cut',
      {},
      { productName: 'n'.repeat(300) },
      ['', 'n'.repeat(255), PEER],
    ],
    ['of 300 emoji are cut', {}, { productName: '😀'.repeat(300) }, ['', '😀'.repeat(255), PEER]],
    ['of nothing are unknown', {}, { productPath: 'a->->b' }, ['a->unknown->b', 'ACCOUNT', PEER]],
    [
      'that look like code are names',
      {},
      { productPath: "'; DROP TABLE logs; --->`x`", productName: '{x:String} "q" \\ /..' },
      ["'; DROP TABLE logs; --->`x`", '{x:String} "q" \\ /..', PEER],
    ],
    ['keep their letter case', {}, { productName: 'AcCess' }, ['', 'AcCess', PEER]],
    ['of other scripts stay', {}, { productName: '日本 مرحبا' }, ['', '日本 مرحبا', PEER]],
  ])('%s', async (...one) => expectPlace(one))

  it('have 20 levels at most; what lies deeper stays told apart', async () => {
    const path = (last: string) =>
      [...Array.from({ length: 30 }, (_, n) => `l${n}`), last].join('->')
    const { explained } = await expectAsExplained({}, (word) => [
      { message: word, productPath: path('x'), productName: 'n' },
      { message: word, productPath: path('y'), productName: 'n' },
    ])
    const levels = explained.map((event) => event.path.split('->'))
    expect(levels.map((one) => one.length)).toEqual([19, 19])
    expect(levels[0]).not.toEqual(levels[1])
  })

  it('cannot lie in the folder System', async () => {
    const sender = { account: { parentFolder: 'Events' } }
    const { explained } = await expectAsExplained(sender, (word) => ({
      message: word,
      productPath: 'System',
      productName: 'rejected',
    }))
    expect(explained[0]).toMatchObject({ path: 'Events->System', log: 'rejected' })
    // The SDK refuses `System` as parent folder, and the product takes no spelling of it for ours.
    const spelled = { account: { parentFolder: 'system' } }
    const beside = await expectAsExplained(spelled, (word) => ({ message: word }))
    expect(beside.explained[0]).toMatchObject({ path: 'system_' })
  })
})
