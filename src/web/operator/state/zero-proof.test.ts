import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { zeroProof } from './zero-proof.ts'

const HASHES = { command: 7, time: '2026-01-31T14:00:00.000Z', journalHash: 'aa', stateHash: 'bb' }

type Balance = { readonly account: string; readonly asset: string; readonly free: string; locked?: string }

function report(balances: readonly Balance[], rows = balances.length): string {
  const lines = balances.map(({ locked = '0.00', ...one }) =>
    JSON.stringify({ ...one, locked, freeze: '0.00', savings: '0.00', total: '0.00' }),
  )
  const head = '{"report":{"report":"balances"}}'
  return `${[head, ...lines, JSON.stringify({ end: { rows, ...HASHES } })].join('\n')}\n`
}

const BTC = [
  { account: 'outside', asset: 'BTC', free: '-90071992547409.93' },
  { account: 'alice', asset: 'BTC', free: '90071992547409.90', locked: '0.02' },
  { account: 'fees', asset: 'BTC', free: '0.01' },
]

test('an asset sums to zero when all accounts have what the outside world owes, to the last unit', () => {
  const proof = zeroProof(report(BTC))
  expect(proof).toMatchObject({ ...HASHES })
  expect(typeof proof === 'string' ? [] : proof.sums).toEqual([
    {
      ...{ asset: 'BTC', accounts: 2, outside: '-90071992547409.93', inside: '90071992547409.93' },
      ...{ sum: '0.00', isZero: true },
    },
  ])
})

test('a single unit too much, or too little, is found, whatever the figures of other assets', () => {
  for (const [free, sum] of [
    ['0.02', '0.01'],
    ['0.00', '-0.01'],
  ] as const) {
    const others = [
      { account: 'outside', asset: 'ETH', free: '-1.00' },
      { account: 'bob', asset: 'ETH', free: '1.00' },
    ]
    const proof = zeroProof(report([...BTC.slice(0, 2), { account: 'fees', asset: 'BTC', free }, ...others]))
    const sums = typeof proof === 'string' ? [] : proof.sums
    expect(sums.map(({ asset, sum: found, isZero }) => [asset, found, isZero])).toEqual([
      ['BTC', sum, false],
      ['ETH', '0.00', true],
    ])
  }
})

test('a truncated report, or one without a balance, proves nothing', () => {
  const whole = report(BTC)
  expect(zeroProof(whole.slice(0, whole.indexOf('{"end"')))).toBe('the report was cut off before its end')
  expect(zeroProof('')).toBe('the report was cut off before its end')
  expect(zeroProof(report(BTC.slice(0, 2), 3))).toBe('the report has 2 balances, but its last line states 3')
})

test('a report with an invalid line, or an invalid amount, proves nothing', () => {
  const damaged = report(BTC).replace('{"account":"alice"', '{"account":alice')
  expect(zeroProof(damaged)).toStartWith('the report cannot be read: ')
  const odd = report([...BTC.slice(0, 2), { account: 'fees', asset: 'BTC', free: '1e-2' }])
  expect(zeroProof(odd)).toBe(
    'the report cannot be read: expected an amount with at most 2 decimals, found 1e-2',
  )
})

test('for any balances, an asset sums to zero exactly when the outside world owes as much', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 22n })
  const text = (units: bigint) => {
    const digits = (units < 0n ? -units : units).toString().padStart(3, '0')
    return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
  }
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), fc.bigInt(-1n, 1n), (amounts, off) => {
      const all = amounts.reduce((sum, one) => sum + one, 0n)
      const accounts = amounts.map((one, i) => ({ account: `a${i}`, asset: 'X', free: text(one) }))
      const proof = zeroProof(
        report([{ account: 'outside', asset: 'X', free: text(off - all) }, ...accounts]),
      )
      const [sum] = typeof proof === 'string' ? [] : proof.sums
      expect([sum?.isZero, sum?.sum]).toEqual([off === 0n, text(off)])
    }),
  )
})
