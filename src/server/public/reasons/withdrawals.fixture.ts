/** Reasons of withdrawals: an amount, an address, an asset or an account that prevents one. */
import { amount } from '../../../units/quantities.ts'
import type { Fields, Fixture, Seen, Trader } from '../gateway.fixture.ts'
import { sendStrictly } from '../strict.fixture.ts'
import { OPERATOR, type Provoke } from './provoke.fixture.ts'

const APPLY = '/api/v3/capital/withdraw/apply'
const ADDRESS = 'bc1qalice'
const ASK = { coin: 'BTC', amount: '0.1', address: ADDRESS }
const FLAGS = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }

let accounts = 0

/** An account with money, an address that may be used, and a key that may withdraw. */
async function owner(f: Fixture): Promise<Trader> {
  const opened = await f.submit({ kind: 'CreateAccount', operator: OPERATOR, name: `owner-${++accounts}` })
  if (opened.kind !== 'AccountOpened') throw new Error(`expected AccountOpened, found ${opened.kind}`)
  const { accountId } = opened
  const reference = `owner-${accounts}`
  const credit = { accountId, asset: 'BTC', amount: amount(10n ** 10n), reference }
  await f.submit({ kind: 'Credit', operator: OPERATOR, ...credit })
  const place = { asset: 'BTC', address: ADDRESS, tag: '', isAllowed: true, label: '', isAtOnce: true }
  await f.submit({ kind: 'SetAccountAddress', operator: OPERATOR, accountId, ...place })
  return f.createKey(accountId, { permissions: ['WITHDRAW'] })
}

const asking =
  (fields: Fields, before?: (f: Fixture, trader: Trader) => Promise<unknown>): Provoke =>
  async (f, headers) => {
    const trader = await owner(f)
    await before?.(f, trader)
    return sendStrictly(f, 'POST', APPLY, { ...ASK, ...fields }, trader, headers)
  }

const limited =
  (fields: Fields): Provoke =>
  async (f, headers) => {
    const set = (withdrawMin: bigint, withdrawMax: bigint) =>
      f.submit({
        kind: 'SetWithdrawalTerms',
        operator: OPERATOR,
        code: 'BTC',
        withdrawMin: amount(withdrawMin),
        withdrawMax: amount(withdrawMax),
        addressDelayMs: 86_400_000,
      })
    await set(1_000_000n, 200_000_000n)
    const seen = await asking(fields)(f, headers)
    await set(0n, 0n)
    return seen
  }

/** Cancels the requested withdrawal after it has been settled otherwise. */
const canceling =
  (step: (f: Fixture, reference: string) => Promise<unknown>): Provoke =>
  async (f, headers) => {
    const trader = await owner(f)
    const { body } = await sendStrictly(f, 'POST', APPLY, ASK, trader)
    const { id } = body.data
    await step(f, id)
    return sendStrictly(f, 'DELETE', APPLY, { cancelWithdrawId: id }, trader, headers)
  }

const claim = (f: Fixture, reference: string) =>
  f.submit({ kind: 'HandleWithdrawal', operator: OPERATOR, reference, step: 'CLAIM', reason: '' })

/** Repeats the request until it is refused. */
async function untilRefused(ask: (i: number) => Promise<Seen>): Promise<Seen> {
  for (let i = 0; ; i++) {
    const seen = await ask(i)
    if (seen.status !== 200) return seen
  }
}

export const OF_WITHDRAWALS = {
  ASSET_NOT_WITHDRAWABLE: async (f, headers) => {
    const set = (isWithdraw: boolean) =>
      f.submit({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'BTC', flags: { ...FLAGS, isWithdraw } })
    const seen = await asking({}, () => set(false))(f, headers)
    await set(true)
    return seen
  },
  WITHDRAWAL_TOO_SMALL: limited({ amount: '0.00999999' }),
  WITHDRAWAL_TOO_LARGE: limited({ amount: '2.00000001' }),
  UNKNOWN_WITHDRAWAL_ADDRESS: asking({ addressTag: '7' }),
  WITHDRAWAL_ADDRESS_TOO_NEW: asking({ address: 'bc1qnew' }, (f, trader) =>
    sendStrictly(
      f,
      'POST',
      '/api/v3/capital/withdraw/address',
      { coin: 'BTC', newAddress: 'bc1qnew' },
      trader,
    ),
  ),
  TOO_MANY_WITHDRAWAL_ADDRESSES: async (f, headers) => {
    const trader = await owner(f)
    const path = '/api/v3/capital/withdraw/address'
    return untilRefused((i) =>
      sendStrictly(f, 'POST', path, { coin: 'BTC', newAddress: `a${i}` }, trader, headers),
    )
  },
  TOO_MANY_WITHDRAWALS: async (f, headers) => {
    const trader = await owner(f)
    return untilRefused(() =>
      sendStrictly(f, 'POST', APPLY, { ...ASK, amount: '0.00000001' }, trader, headers),
    )
  },
  DUPLICATE_WITHDRAW_ORDER_ID: asking({ withdrawOrderId: 'w-1', amount: '0.2' }, (f, trader) =>
    sendStrictly(f, 'POST', APPLY, { ...ASK, withdrawOrderId: 'w-1' }, trader),
  ),
  UNKNOWN_WITHDRAWAL: async (f, headers) =>
    sendStrictly(f, 'DELETE', APPLY, { cancelWithdrawOrderId: 'none' }, await owner(f), headers),
  WITHDRAWAL_CLAIMED: canceling(claim),
  WITHDRAWAL_FINISHED: canceling(async (f, reference) => {
    await claim(f, reference)
    await f.submit({ kind: 'CompleteWithdrawal', operator: OPERATOR, reference })
  }),
} as const satisfies Record<string, Provoke>
