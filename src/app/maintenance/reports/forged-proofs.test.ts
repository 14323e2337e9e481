/**
 * A forger's kit: false proofs of liabilities that nevertheless have a valid root hash. The customer's
 * program accepts none.
 */
import { describe, expect, test } from 'bun:test'
import {
  type Any,
  expectNo,
  forge,
  OTHER,
  rootHashOf,
  SALT,
  type Said,
  said,
  saidOf,
  saidOfEach,
  takenOf,
} from './forger.fixture.ts'

const EVIL = '\r\u001b[2K\u009b2K\u202e\nYes: after command 11'

test('the kit makes a valid proof when nothing is changed', () => {
  const { root, file } = forge()
  const { exitCode, out } = saidOf({ root, file }, root.rootHash)
  expect([exitCode, out.split('\n')]).toEqual([
    0,
    [
      '1.00 BTC of "alice" is in the total of 3.50',
      `Yes: after command 11, ${root.time}, root hash ${root.rootHash}`,
      '',
    ],
  ])
})

test('one root hash belongs to one root.json: a line of the hashed text cannot hide in a field of the head', () => {
  const honest = forge((root) => {
    root.assets.unshift({
      asset: 'AAA',
      decimals: 0,
      total: '9',
      outside: '-9',
      leaves: 1,
      root: '33'.repeat(32),
    })
  })
  const hidden = forge((root) => {
    root.journalHash = `${root.journalHash}\nAAA 0 9 -9 1 ${'33'.repeat(32)}`
  })
  expect(hidden.root.rootHash).toBe(honest.root.rootHash)
  expectNo(saidOf(hidden))
  for (const field of ['journal', 'time', 'journalHash']) {
    const made = forge((root) => {
      root[field] = `${root[field]}\n1`
    })
    expectNo(saidOf(made))
  }
})

/** Paths to every value of a JSON document, including nested ones. */
function placesOf(value: Any, way: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [way]
  return [
    ...(way.length === 0 ? [] : [way]),
    ...Object.keys(value).flatMap((name) => placesOf(value[name], [...way, name])),
  ]
}

function valueAt(value: Any, way: readonly string[]): Any {
  return way.reduce((inside, name) => inside[name], value)
}

function withAt(value: Any, way: readonly string[], put: Any): Any {
  const copy = structuredClone(value)
  const last = way.at(-1) as string
  valueAt(copy, way.slice(0, -1))[last] = put
  return copy
}

/**
 * The change that each forgery makes to the files. If the joined text is the same, the hash is the same too.
 */
const FORGERIES: readonly (readonly [string, (root: Any, file: Any) => void])[] = [
  ['a command that is a text with lines', (root) => (root.command = '11\n12')],
  ['a command of half', (root) => (root.command = 11.5)],
  ['a command below 1', (root) => (root.command = 0)],
  ['a command in a list', (root) => (root.command = [11])],
  ['a journal in a list', (root) => (root.journal = [root.journal])],
  ['a journal of capital digits', (root) => (root.journal = 'AB'.repeat(32))],
  ['a time that is none', (root) => (root.time = '2026-02-31T17:30:00.000+00:00')],
  ['a time in words', (root) => (root.time = 'yesterday')],
  ['a format of its own', (root) => (root.format = 2)],
  ['a format of its own for the account', (_, file) => (file.format = '1')],
  [
    'an asset in a list',
    (root, file) => {
      root.assets[0].asset = ['BTC']
      file.balances[0].asset = ['BTC']
    },
  ],
  ['an asset in a list, for the account alone', (_, file) => (file.balances[0].asset = ['BTC'])],
  ['an asset twice, once in a list', (root) => root.assets.push({ ...root.assets[0], asset: ['BTC'] })],
  [
    'a balance twice, once with its asset in a list',
    (_, file) => file.balances.push({ ...file.balances[0], asset: ['BTC'] }),
  ],
  ['a balance twice', (_, file) => file.balances.push(file.balances[0])],
  ['a salt in a list', (_, file) => (file.balances[0].salt = [SALT])],
  ['an amount in a list', (_, file) => (file.balances[0].amount = ['1.00'])],
  ['an amount that is a number', (_, file) => (file.balances[0].amount = 1)],
  ['a hash of the path in a list', (_, file) => (file.balances[0].path = [{ ...OTHER, hash: [OTHER.hash] }])],
  ['a sum of the path in a list', (_, file) => (file.balances[0].path = [{ ...OTHER, sum: ['2.50'] }])],
  ['a path that is an object', (_, file) => (file.balances[0].path = { 0: OTHER, length: 1 })],
  ['an index that is a text', (_, file) => (file.balances[0].index = '0')],
  ['an index in a list', (_, file) => (file.balances[0].index = [0])],
  ['an index behind the leaves', (_, file) => (file.balances[0].index = 2)],
  ['a total in a list', (root) => (root.assets[0].total = ['3.50'])],
  ['an outside world in a list', (root) => (root.assets[0].outside = ['-3.50'])],
  ['decimals that are a text', (root) => (root.assets[0].decimals = '2')],
  ['leaves that are a text', (root) => (root.assets[0].leaves = '2')],
  ['leaves in a list', (root) => (root.assets[0].leaves = [2])],
  ['leaves that are nearly a power of two', (root) => (root.assets[0].leaves = 2 ** 49 + 1)],
  ['a root in a list', (root) => (root.assets[0].root = [root.assets[0].root])],
  ['a remark beside the head', (root) => (root.remark = 'audited')],
  ['a remark beside an asset', (root) => (root.assets[0].remark = 'audited')],
  ['a remark beside the account', (_, file) => (file.remark = 'audited')],
  ['a remark beside a balance', (_, file) => (file.balances[0].remark = 'audited')],
  ['a remark beside a step', (_, file) => (file.balances[0].path = [{ ...OTHER, remark: 'audited' }])],
  ['no account', (_, file) => (file.account = '')],
  ['an account in a list', (_, file) => (file.account = ['alice'])],
  ['balances that are an object', (_, file) => (file.balances = { length: 0 })],
  ['no balances', (_, file) => delete file.balances],
  [
    'assets that are an object',
    (root) => (root.assets = { 0: root.assets[0], [Symbol.iterator]: () => [][Symbol.iterator]() }),
  ],
  [
    'a root hash in a list',
    (root, file) => {
      root.rootHash = [rootHashOf(root)]
      file.rootHash = root.rootHash
    },
  ],
  ['a text that a terminal obeys for a hash', (root) => (root.journalHash = EVIL)],
  ['a text that a terminal obeys for an amount', (_, file) => (file.balances[0].amount = EVIL)],
  ['a text that a terminal obeys for an asset', (_, file) => (file.balances[0].asset = EVIL)],
  ['a text that a terminal obeys for the outside world', (root) => (root.assets[0].outside = EVIL)],
  ['a field whose name a terminal obeys', (_, file) => (file[EVIL] = 1)],
  ['a long text', (_, file) => (file.account = EVIL.repeat(10_000))],
]

/** The files of a forgery as JSON. */
const textsOf = ({ root, file }: { root: Any; file: Any }) =>
  [JSON.stringify(root), JSON.stringify(file)] as const

let answers: readonly Said[] | undefined
/** The program's verdict on each forgery, computed once for all. */
function answerTo(forgery: number): Said {
  answers ??= saidOfEach(
    FORGERIES.map(([, change]) => textsOf(forge((root, file) => void change(root, file)))),
  )
  return answers[forgery] as Said
}

describe('the verification program says no, in one line of its own, to', () => {
  for (const [at, [what]] of FORGERIES.entries()) {
    test(what, () => expectNo(answerTo(at)))
  }

  test('any value of another kind, in any place', () => {
    const { root, file } = forge()
    const others = [1, null, [], '1']
    const pairs: [what: string, root: string, file: string][] = []
    for (const [whole, isRoot] of [
      [root, true],
      [file, false],
    ] as const)
      for (const place of placesOf(whole)) {
        for (const other of [...others, [valueAt(whole, place)], String(valueAt(whole, place))]) {
          if (JSON.stringify(other) === JSON.stringify(valueAt(whole, place))) continue
          const edited = withAt(whole, place, other)
          // A wrong name, or a missing one, must be noticed by the owner; the forger chose the root hash.
          if (place.join() === 'account' && other === '1') continue
          if (place.join() === 'command' && other === 1) continue
          if (place.join() === 'balances' && Array.isArray(other) && other.length === 0) continue
          if (isRoot && place[0] !== 'rootHash' && Array.isArray(edited.assets))
            edited.rootHash = rootHashOf(edited)
          const rooted = { ...file, rootHash: edited.rootHash }
          const made = isRoot ? { root: edited, file: rooted } : { root, file: edited }
          pairs.push([`${JSON.stringify(other)} at ${place.join('.')}`, ...textsOf(made)])
        }
      }
    expect(pairs.length).toBeGreaterThan(100)
    expect(takenOf(pairs)).toEqual([])
  })

  test('a leaf with half a character, which would equal the leaf of every other such account', () => {
    const [one, two] = [forge(undefined, 'alice\ud800'), forge(undefined, 'alice\udbff')]
    expect(one.root.rootHash).toBe(two.root.rootHash)
    expectNo(saidOf(one))
    expectNo(saidOf(two))
  })

  test('an empty leaf', () => {
    const made = forge(
      (root) => {
        root.assets[0].total = '2.50'
        root.assets[0].outside = '-2.50'
      },
      'alice',
      '0.00',
    )
    expectNo(saidOf(made))
  })

  test('a field that appears twice, of which two readers may take different ones', () => {
    const { root, file } = forge()
    const [rootText, fileText] = [JSON.stringify(root), JSON.stringify(file)]
    expectNo(said(rootText, fileText.replace('"account":', '"account":"mallory","account":')))
    expectNo(said(rootText.replace('"total":', '"total":"9.00","total":'), fileText))
    expectNo(said(rootText.replace('"total":', '"tot\\u0061l":"9.00","total":'), fileText))
    expectNo(said(rootText, fileText.replace('"index":0', '"index":-0')))
    expectNo(said(rootText, fileText.replace('"format":1', '"__proto__":{"account":"mallory"},"format":1')))
  })

  test('text that is not JSON, without repeating control characters', () => {
    const { root } = forge()
    for (const text of ['', EVIL, `{"account":"${EVIL}"}`, '[]', 'null', '"x"', `${'['.repeat(200_000)}`])
      expectNo(said(JSON.stringify(root), text))
  })

  test('a root that was not published, whatever was typed for it', () => {
    const made = forge()
    for (const published of [
      '',
      'ab'.repeat(32),
      made.root.rootHash.toUpperCase(),
      EVIL,
      made.root.rootHash.slice(0, 63),
    ])
      expectNo(saidOf(made, published))
  })
})

test('an account whose name has lines and controls is shown in quotes on its own line', () => {
  const { exitCode, out } = saidOf(forge(undefined, `alice${EVIL}`))
  expect([exitCode, out.split('\n').length]).toEqual([0, 3])
  expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u)
  expect(out.split('\n')[0]).toStartWith('1.00 BTC of "alice\\r\\u001b[2K')
})

test('a first balance is not confirmed while a later one is false', () => {
  const made = forge((_, file) => file.balances.push({ ...file.balances[0], asset: 'ETH' }))
  const { out } = saidOf(made)
  expect(out).toStartWith('No: ')
})
