/**
 * A second kit of the forger: files whose text can be read in two ways, by two programs or by two people, and
 * trees that are built incorrectly. If a forged file has a root hash, the hash matches its content.
 */
import { expect, test } from 'bun:test'
import {
  type Any,
  expectNo,
  forge,
  OTHER,
  rootHashOf,
  SALT,
  saidOf,
  saidOfEach,
  takenOf,
  treeOf,
} from './forger.fixture.ts'

const { root: ROOT, file: FILE } = forge()
const [ROOT_TEXT, FILE_TEXT] = [JSON.stringify(ROOT), JSON.stringify(FILE)]
const bytes = (text: string, ...more: number[]): Uint8Array =>
  Uint8Array.from([...Buffer.from(text), ...more])

/** The bytes of a text in which one character is replaced by the given bytes. */
function withBytes(text: string, mark: string, put: readonly number[]): Uint8Array {
  const [before = '', after = ''] = text.split(mark)
  return Uint8Array.from([...Buffer.from(before), ...put, ...Buffer.from(after)])
}

test('a true proof is distinguished from a false one', () => {
  expect(takenOf([['a true one', ROOT_TEXT, FILE_TEXT]])).toEqual([
    expect.stringContaining('Yes: after command 11'),
  ])
})

test('bytes that are not text are refused: replaced by the same character, two names would be equal', () => {
  // A lenient reader takes each of these for U+FFFD, the character in the leaf.
  const { root, file } = forge(undefined, 'alice\ufffd')
  expect(saidOf({ root, file }).exitCode).toBe(0)
  const puts = [[0xff], [0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]
  const text = JSON.stringify(file)
  const pairs = puts.map(
    (put) => [String(put), JSON.stringify(root), withBytes(text, '\ufffd', put)] as const,
  )
  expect(takenOf(pairs)).toEqual([])
})

const TEXTS: readonly (readonly [what: string, file: Uint8Array])[] = [
  ['a byte order mark', bytes(`\ufeff${FILE_TEXT}`)],
  ['UTF-16', Uint8Array.from(Buffer.from(FILE_TEXT, 'utf16le'))],
  ['a zero byte behind it', bytes(FILE_TEXT, 0)],
  ['a second document behind it', bytes(FILE_TEXT + FILE_TEXT)],
  ['a word behind it', bytes(`${FILE_TEXT} true`)],
  ['a comma before the end', bytes(FILE_TEXT.replace(/}$/, ',}'))],
  ['a comment', bytes(FILE_TEXT.replace('{', '{/* audited */'))],
  ['a space that is no space of JSON', bytes(FILE_TEXT.replace('{', '{\u00a0'))],
  ['a line end that is none of JSON', bytes(FILE_TEXT.replace('{', '{\u2028'))],
  ['a tab within a text', bytes(FILE_TEXT.replace('"alice"', '"ali\tce"'))],
  ['half of it', bytes(FILE_TEXT.slice(0, FILE_TEXT.length / 2))],
  ['all but its last sign', bytes(FILE_TEXT.slice(0, -1))],
  ['nothing', bytes('')],
]

test('a file that is not one plain document of JSON is refused', () => {
  const pairs = TEXTS.flatMap(([what, text]) => [
    [what, ROOT_TEXT, text] as const,
    [`${what}, for the root`, text, FILE_TEXT] as const,
  ])
  expect(takenOf(pairs)).toEqual([])
})

test('line endings of other systems are accepted: they change no value', () => {
  const lines = (value: unknown, end: string): string =>
    JSON.stringify(value, undefined, 1).replaceAll('\n', end)
  const answers = saidOfEach(['\n', '\r\n', '\r'].map((end) => [lines(ROOT, end), lines(FILE, end)]))
  expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
})

test('a number in another notation is refused', () => {
  const pairs = Object.entries({ format: 1, index: 0, decimals: 2, leaves: 2, command: 11 }).flatMap(
    ([field, value]) => {
      const isOfFile = field === 'index'
      const text = isOfFile ? FILE_TEXT : ROOT_TEXT
      const forms = [
        `${value}.0`,
        `${value}e0`,
        `${value}E+0`,
        `0${value}`,
        `-${value}`,
        `+${value}`,
        `0x${value}`,
      ]
      const others = [
        `${value}e999`,
        `${value}.${'0'.repeat(400)}1`,
        `"${value}"`,
        `${2 ** 53 + 2}`,
        'NaN',
        'true',
      ]
      return [...forms, ...others].map((form) => {
        const forged = text.replace(`"${field}":${value}`, `"${field}":${form}`)
        expect(forged).not.toBe(text)
        return [`${field} ${form}`, isOfFile ? ROOT_TEXT : forged, isOfFile ? forged : FILE_TEXT] as const
      })
    },
  )
  expect(takenOf(pairs)).toEqual([])
})

test('an unknown field is refused at every level', () => {
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'length',
    '0',
    '',
    'format ',
    'Format',
    'asset\\u0000',
    '\\ud800',
  ]
  const pairs = names.flatMap((name) =>
    ['{}', '[]', '1', 'null'].flatMap((value) => {
      const more = `"${name}":${value},`
      const what = `${name} ${value}`
      return [
        [what, ROOT_TEXT.replace('{', `{${more}`), FILE_TEXT] as const,
        [what, ROOT_TEXT.replace('{"asset"', `{${more}"asset"`), FILE_TEXT] as const,
        [what, ROOT_TEXT, FILE_TEXT.replace('{', `{${more}`)] as const,
        [what, ROOT_TEXT, FILE_TEXT.replace('{"asset"', `{${more}"asset"`)] as const,
        [what, ROOT_TEXT, FILE_TEXT.replace('{"hash"', `{${more}"hash"`)] as const,
      ]
    }),
  )
  expect(takenOf(pairs)).toEqual([])
})

test('a repeated field is refused everywhere, also with the same value', () => {
  const twice = (text: string): string[] =>
    [...text.matchAll(/"(\w+)":(?:"[^"]*"|\d+)/g)].map(
      ({ 0: member, index }) => `${text.slice(0, index)}${member},${text.slice(index)}`,
    )
  const pairs = [
    ...twice(ROOT_TEXT).map((text) => [text, text, FILE_TEXT] as const),
    ...twice(FILE_TEXT).map((text) => [text, ROOT_TEXT, text] as const),
  ]
  expect(pairs.length).toBeGreaterThan(18)
  expect(takenOf(pairs)).toEqual([])
})

/** The change that each forgery makes to a proof whose root hash is recomputed. */
const FORGERIES: readonly (readonly [string, (root: Any, file: Any) => void])[] = [
  ...[
    '3.500',
    '03.50',
    '+3.50',
    '3,50',
    '3.50 ',
    ' 3.50',
    '\uff13.50',
    '3.5e0',
    '3.5',
    '.50',
    '3.',
    '-3.50',
    '0x3.50',
    '3.50\n',
  ].map(
    (total) =>
      [
        `a total of ${JSON.stringify(total)}`,
        (root: Any) => Object.assign(root.assets[0], { total, outside: `-${total}` }),
      ] as const,
  ),
  [
    'a total beyond 16 bytes',
    (root) => {
      const total = `${2n ** 127n}`.replace(/(..)$/, '.$1')
      Object.assign(root.assets[0], { total, outside: `-${total}` })
    },
  ],
  ...['btc', 'BTC\n', 'BTC ', 'B\u0422C', '', 'B'.repeat(17), 'BTC\u0000', '\uff22TC'].map(
    (asset) =>
      [
        `an asset ${JSON.stringify(asset)}`,
        (root: Any, file: Any) => {
          Object.assign(root.assets[0], { asset, root: treeOf('alice', asset, '1.00', OTHER) })
          file.balances[0].asset = asset
        },
      ] as const,
  ),
  ...[
    '2026-01-31T17:30:00.000Z',
    '2026-02-30T17:30:00.000+00:00',
    '2026-01-31',
    '1969-12-31T23:59:59.999+00:00',
    '2026-01-31T17:30:00.000+00:00\n',
    '2026-01-31T24:00:00.000+00:00',
  ].map((time) => [`a time ${JSON.stringify(time)}`, (root: Any) => (root.time = time)] as const),
  ...[
    'AB'.repeat(32),
    'ab'.repeat(31),
    `0x${'ab'.repeat(31)}`,
    '\u0661'.repeat(64),
    `${'ab'.repeat(32)}\n`,
  ].flatMap((hash) => [
    [`a journal ${JSON.stringify(hash).slice(0, 12)}`, (root: Any) => (root.journal = hash)] as const,
    [
      `a salt ${JSON.stringify(hash).slice(0, 12)}`,
      (_: Any, file: Any) => (file.balances[0].salt = hash),
    ] as const,
    [
      `a hash of the path ${JSON.stringify(hash).slice(0, 12)}`,
      (_: Any, file: Any) => (file.balances[0].path = [{ ...OTHER, hash }]),
    ] as const,
  ]),
  ['a leaf on the other side', (_, file) => (file.balances[0].index = 1)],
  ['no step', (_, file) => (file.balances[0].path = [])],
  ['a step too many', (_, file) => file.balances[0].path.push(OTHER)],
  ['a tree that is said to be one leaf', (root) => (root.assets[0].leaves = 1)],
  ['a tree that is said to be four leaves', (root) => (root.assets[0].leaves = 4)],
  ['a tree of no leaf', (root) => (root.assets[0].leaves = 0)],
  ['a tree of more leaves than there can be accounts', (root) => (root.assets[0].leaves = 2 ** 41)],
  [
    'a sibling that takes away',
    (root, file) => {
      file.balances[0].path = [{ ...OTHER, sum: '-0.50' }]
      Object.assign(root.assets[0], { total: '0.50', outside: '-0.50' })
    },
  ],
  [
    'a sibling that is too large for its sum',
    (root, file) => {
      const sum = `${2n ** 127n - 1n}`.replace(/(..)$/, '.$1')
      file.balances[0].path = [{ ...OTHER, sum }]
      Object.assign(root.assets[0], { root: treeOf('alice', 'BTC', '1.00', { ...OTHER, sum }) })
    },
  ],
  ['a head of another asset', (root) => (root.assets[0].asset = 'ETH')],
  ['a balance of another asset', (_, file) => (file.balances[0].asset = 'ETH')],
  ['the same asset twice', (root) => root.assets.push(root.assets[0])],
  ['no asset', (root) => (root.assets = [])],
  ['other decimals', (root) => Object.assign(root.assets[0], { decimals: 3 })],
  ['another customer\u2019s name that looks the same', (_, file) => (file.account = 'al\u0456ce')],
  ['a name in other letters of the same look', (_, file) => (file.account = 'Alice')],
  ['another customer\u2019s name with a sign that nobody sees', (_, file) => (file.account = 'alice\u200b')],
  ['a name that is longer than any', (_, file) => (file.account = 'a'.repeat(201))],
]

test('the program says no to every tree and head that is assembled wrongly', () => {
  const pairs = FORGERIES.map(([what, change]) => {
    const { root, file } = forge((madeRoot, madeFile) => void change(madeRoot, madeFile))
    return [what, JSON.stringify(root), JSON.stringify(file)] as const
  })
  expect(pairs.length).toBeGreaterThan(60)
  expect(takenOf(pairs)).toEqual([])
})

test('two assets in another order give another root', () => {
  const second = { ...ROOT.assets[0], asset: 'ETH', root: treeOf('alice', 'ETH', '1.00', OTHER) }
  const { root, file } = forge((made) => made.assets.push(second))
  const turned = { ...root, assets: root.assets.toReversed() }
  expect(saidOf({ root, file }).exitCode).toBe(0)
  expectNo(saidOf({ root: turned, file }))
  expect(rootHashOf(turned)).not.toBe(root.rootHash)
  expectNo(saidOf({ root: { ...turned, rootHash: rootHashOf(turned) }, file }))
})

test('a name is shown in full, so that a difference at its end is visible', () => {
  for (const account of [`alice${'\u0001'.repeat(100)}mallory`, `alice${'\ud83d\ude00'.repeat(90)}mallory`]) {
    const { exitCode, out } = saidOf(forge(undefined, account))
    expect([exitCode, out.split('\n')[0]]).toEqual([
      0,
      expect.stringContaining('mallory" is in the total of'),
    ])
  }
})

test('two customers with the same salt and amount have two leaves', () => {
  const leaf = (account: string) => treeOf(account, 'BTC', '1.00', OTHER, SALT)
  expect(new Set(['alice', 'alicE', 'alice ', 'alice\u200b', 'al\u0131ce'].map(leaf)).size).toBe(5)
})
