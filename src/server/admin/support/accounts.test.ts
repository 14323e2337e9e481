/** Terms of an account of which one part is set again while another has expired. */
import { expect, test } from 'bun:test'
import type { AdminRequests } from '../../../contract/admin/admin.ts'
import type { Command } from '../../../core/commands/command.ts'
import type { SpecialTerms } from '../../../core/registry/records.ts'
import type { Rate } from '../../../units/quantities.ts'
import { type TimeMs, timeMs } from '../../../units/quantities.ts'
import type { AdminContext } from '../context.ts'
import { noteAccount, setTerms } from './accounts.ts'

const NOW = timeMs(1_000_000)
const LATER = timeMs(2_000_000)

/** The command sent by a change of an account whose terms are `special`. */
async function commandOf(special: SpecialTerms, change: (context: AdminContext) => Promise<unknown>) {
  const sent: Command[] = []
  const account = { id: 5, name: 'alice', role: 'trader', createdAt: 0, special }
  const context = {
    caller: { token: undefined },
    accounts: { accountByName: () => account, accounts: () => [] },
    registry: {},
    backOffice: {},
    engine: {
      submit: async (command: Command) => {
        sent.push(command)
        return { kind: 'Done', repeated: false }
      },
    },
    now: () => NOW,
  }
  await change(context as unknown as AdminContext)
  return sent[0]
}

const termsUntil = (until: TimeMs): SpecialTerms => ({
  rates: { makerRate: 1 as Rate, takerRate: 2 as Rate, until },
  openOrders: { max: 3, until },
  orderRate: { times: 4, until },
})

const PARTS = ['rates', 'openOrders', 'orderRate'] as const
/** Requests that set one part again. */
const GIVEN: Readonly<Record<(typeof PARTS)[number], Partial<AdminRequests['account/terms']>>> = {
  rates: { makerRate: '0', takerRate: '0' },
  openOrders: { openOrdersMax: 9 },
  orderRate: { orderRateTimes: 9 },
}

for (const given of PARTS) {
  test(`terms in force stay, and those that are over are not granted again, with ${given}`, async () => {
    const set = (special: SpecialTerms) =>
      commandOf(special, (context) => setTerms(context, { account: 'alice', ...GIVEN[given] }))
    const others = PARTS.filter((part) => part !== given)
    const kept = (await set(termsUntil(LATER))) as unknown as SpecialTerms
    const over = (await set(termsUntil(NOW))) as unknown as SpecialTerms
    for (const part of others) {
      expect(kept[part]).toEqual(termsUntil(LATER)[part])
      expect(over[part]).toBeUndefined()
    }
    expect([kept[given], over[given]]).not.toContain(undefined)
  })
}

test('rates are removed by naming both as empty, and one alone is refused', async () => {
  const set = (rates: Partial<AdminRequests['account/terms']>) =>
    commandOf(termsUntil(LATER), (context) => setTerms(context, { account: 'alice', ...rates }))
  expect(await set({ makerRate: '', takerRate: '' })).toMatchObject({ rates: undefined })
  await expect(set({ makerRate: '', takerRate: '0.1' })).rejects.toThrow('makerRate')
  await expect(set({ makerRate: '0.1', takerRate: '' })).rejects.toThrow('takerRate')
})

test('a field of a note ends its name at the first equals sign: the rest is its value', async () => {
  const note = await commandOf({}, (context) =>
    noteAccount(context, { account: 'alice', fields: ['link=https://x/?a=1&b=2', 'empty='] }),
  )
  expect(note).toMatchObject({
    fields: [
      { name: 'empty', value: '' },
      { name: 'link', value: 'https://x/?a=1&b=2' },
    ],
  })
})
