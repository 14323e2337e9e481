/**
 * C: a session on the admin server that calls each operation, with the body of each answer and the command
 * line's table of it.
 */
import { ADMIN_COMMANDS } from '../../../src/cli/admin/sections.ts'
import type { AdminOperation } from '../../../src/contract/admin/admin.ts'
import { ADMIN_OPERATIONS } from '../../../src/contract/admin/admin.ts'
import { RULES_VERSION } from '../../../src/core/exchange/rules.ts'
import { type AdminFixture, NOW, openAdminFixture } from '../../../src/server/admin/admin.fixture.ts'
import type { AccountId, SymbolId } from '../../../src/units/ids.ts'
import { lots, price } from '../../../src/units/quantities.ts'
import { bodyText, type Recorded } from '../recorded-part.ts'

/** Members of bodies that are texts for people. */
const TEXTS = ['message', 'warnings']
/**
 * Values that differ in every run: keys, secrets, digests, and the bytes and hashes of the journal that
 * contains them.
 */
const RANDOM = /\b[0-9a-f]{32,}\b|bourse_[\w-]+|"data": "[^"]*"/g

export type AdminRecorded = { readonly bodies: readonly Recorded[]; readonly tables: readonly Recorded[] }

export class AdminSession {
  readonly bodies: Recorded[] = []
  readonly tables: Recorded[] = []
  readonly #server: Pick<AdminFixture, 'ask'>

  constructor(server: Pick<AdminFixture, 'ask'>) {
    this.#server = server
  }

  async ask(operation: AdminOperation, request: object = {}, token?: string) {
    const { status, body } = await this.#server.ask(operation, request, token)
    const kind = `${operation} ${plain(JSON.stringify(request))}`
    this.bodies.push({ kind, text: `${status}\n${plain(bodyText(body, TEXTS))}` })
    if (body.ok) this.#show(kind, operation, body.result)
    // biome-ignore lint/suspicious/noExplicitAny: what was answered is looked at as it is
    return (body.ok ? body.result : undefined) as any
  }

  #show(kind: string, operation: AdminOperation, result: unknown): void {
    for (const command of ADMIN_COMMANDS) {
      if (command.operation !== operation || command.show === undefined) continue
      this.tables.push({ kind: `${command.name}: ${kind}`, text: plain(command.show(result)) })
    }
  }
}

function plain(text: string): string {
  return text.replace(RANDOM, '<random>')
}

export async function adminSession(): Promise<AdminRecorded> {
  const hands = { wall: NOW, elapsed: 0 }
  const server = await openAdminFixture(hands)
  const later = () => {
    hands.wall += 1_000
    hands.elapsed += 1_000
  }
  try {
    const session = new AdminSession(server)
    await askMost(session, later, () => meet(server))
    await jump(session, hands)
    for (const operation of withoutAnswer(session)) await session.ask(operation)
    return session
  } finally {
    await server.stop()
  }
}

/**
 * Operations that were not called: the server of this session lacks the parts that they need, and refuses
 * them.
 */
function withoutAnswer({ bodies }: AdminSession): AdminOperation[] {
  const asked = new Set(bodies.map(({ kind }) => kind.split(' ')[0]))
  return ADMIN_OPERATIONS.filter((operation) => !asked.has(operation))
}

/** Operations that any node answers. `meet` lets Carol sell and Dave buy XAU/EUR. */
export async function askMost(session: AdminSession, later: () => void, meet: () => Promise<void>) {
  await list(session)
  later()
  await openAccounts(session)
  later()
  await trade(session, meet)
  later()
  await moveMoney(session)
  later()
  await withdraw(session, later)
  await guard(session)
  await look(session)
  await close(session)
  await session.ask('master-key/rotate')
}

/** Makes the clock jump, and accepts its time as an operator. */
async function jump(session: AdminSession, hands: { wall: number; elapsed: number }): Promise<void> {
  await session.ask('clock/accept')
  hands.elapsed += 1_000
  hands.wall += 86_400_000
  await session.ask('account/unfreeze', { account: 'dave' })
  await session.ask('clock/show')
  await session.ask('clock/accept')
}

async function list(session: AdminSession): Promise<void> {
  await session.ask('node/status')
  await session.ask('rules/set', { version: RULES_VERSION, actor: 'ops', note: 'again' })
  await session.ask('asset/add', { code: 'XAU', name: 'Gold', fraction: 6 })
  await session.ask('asset/add', { code: 'EUR', fraction: 2, isSaving: true, supplyCap: '1000000' })
  await session.ask('asset/add', { code: 'EUR', fraction: 2 })
  await session.ask('asset/set', { code: 'EUR', name: 'Euro', creditMax: '500000', approvalAbove: '10000' })
  await session.ask('asset/withdrawals', {
    code: 'EUR',
    withdrawMin: '1',
    withdrawMax: '50000',
    addressDelayMinutes: 5,
  })
  await session.ask('asset/list')
  const symbol = { symbol: 'XAU/EUR' }
  const terms = { takerRate: '0.002', makerRate: '0.001', minTotal: '10', minQuantity: '0.5' }
  await session.ask('symbol/add', { ...symbol, baseFraction: 3, quoteFraction: 2, ...terms })
  await session.ask('symbol/rates', { ...symbol, makerRate: '0.003' })
  await session.ask('symbol/set', {
    ...symbol,
    minPrice: '1',
    maxPrice: '100000',
    openOrdersMax: 100,
    levelsMax: 50,
  })
  await session.ask('symbol/increments', { ...symbol, tickSize: '0.05', stepSize: '0.01' })
  await session.ask('symbol/halt', symbol)
  await session.ask('symbol/cancel-only', symbol)
  await session.ask('symbol/resume', symbol)
  await session.ask('symbol/list')
  await session.ask('tier/set', { name: 'vip-1', makerShare: '0', takerShare: '0.5' })
  await session.ask('tier/list')
  await session.ask('exchange/show')
  await session.ask('exchange/plan', {
    steps: ['CANCEL_ONLY@+30m', 'TRADING@+90m'],
  })
  await session.ask('exchange/show')
  await session.ask('exchange/unplan')
  await session.ask('exchange/halt')
  await session.ask('exchange/close')
  await session.ask('exchange/halt')
  await session.ask('exchange/open')
}

async function openAccounts(session: AdminSession): Promise<void> {
  for (const name of ['carol', 'dave', 'erin'])
    await session.ask('account/add', { name, actor: 'ops', note: 'first' })
  const account = { account: 'carol' }
  const profile = { customerId: 'CRM-7', labels: ['mm'], fields: ['desk=Zürich'], remark: 'calls at nine' }
  await session.ask('account/note', { ...account, ...profile })
  await session.ask('account/terms', {
    ...account,
    makerRate: '0',
    takerRate: '0.0004',
    until: '2027-06-01T00:00:00Z',
  })
  await session.ask('account/set', { ...account, feeTier: 'vip-1', openOrdersMax: 200 })
  await session.ask('account/restrict', { ...account, restrictions: ['TRADE'] })
  await session.ask('account/restrict', { ...account, restrictions: [] })
  await session.ask('account/freeze', { account: 'dave' })
  await session.ask('account/unfreeze', { account: 'dave' })
  await session.ask('account/find', { customerId: 'CRM-7' })
  await session.ask('account/search', { text: 'car' })
  await session.ask('account/show', account)
  await session.ask('account/list')
  await session.ask('account/list', { limit: 1 })
  await session.ask('account/show', { account: 'nobody' })
  const { apiKey } = await session.ask('key/add', {
    ...{ ...account, label: 'bot', addresses: ['10.0.0.0/8'] },
    permissions: ['TRADE', 'USER_DATA'],
  })
  await session.ask('key/set', { apiKey, label: 'other', permissions: ['TRADE'] })
  await session.ask('key/rotate', { apiKey, overlapMinutes: 5 })
  await session.ask('key/disable', { apiKey })
  await session.ask('key/enable', { apiKey })
  await session.ask('key/list', account)
  await session.ask('key/revoke', { apiKey })
}

/** Funds two accounts, which trade with each other. */
async function trade(session: AdminSession, meet: () => Promise<void>): Promise<void> {
  await session.ask('money/credit', { account: 'carol', asset: 'XAU', amount: '100', reference: 'gold in' })
  await session.ask('money/credit', { account: 'dave', asset: 'EUR', amount: '9000', reference: 'wire 1' })
  await session.ask('money/credit', { account: 'dave', asset: 'EUR', amount: '9000', reference: 'wire 1' })
  await session.ask('money/credit', { account: 'dave', asset: 'EUR', amount: '9001', reference: 'wire 1' })
  await meet()
  const orders = await session.ask('order/list', { account: 'carol' })
  const order: string = orders.orders[0].id
  await session.ask('order/show', { order })
  await session.ask('order/fills', { order })
  await session.ask('account/story', { account: 'carol' })
  await session.ask('order/cancel', { order })
  await session.ask('order/cancel-all', { symbol: 'XAU/EUR' })
  await session.ask('order/list', { account: 'carol', all: true })
  await session.ask('balance/list', { account: 'carol' })
}

async function meet({ engine }: AdminFixture): Promise<void> {
  const { accounts } = await engine.port.follow(() => {})
  const idOf = (name: string) => accounts.find((account) => account.name === name)?.id ?? (0 as AccountId)
  const [carol, dave] = [idOf('carol'), idOf('dave')]
  const place = (accountId: AccountId, side: 'BUY' | 'SELL', quantity: number) =>
    engine.port.submit({
      ...{ kind: 'PlaceOrder', accountId, symbolId: 0 as SymbolId, side, type: 'LIMIT', timeInForce: 'GTC' },
      ...{ price: price(10_000), quantity: lots(quantity), total: undefined, selfTradeMode: undefined },
      clientOrderId: side === 'SELL' ? 'sells' : undefined,
    })
  await place(carol, 'SELL', 5_000)
  await place(dave, 'BUY', 2_000)
}

async function moveMoney(session: AdminSession): Promise<void> {
  const dave = { account: 'dave', asset: 'EUR' }
  await session.ask('money/debit', { ...dave, amount: '10.50', reference: 'out 1' })
  await session.ask('money/move', { ...dave, amount: '40', reference: 'hold 1', from: 'free', to: 'freeze' })
  await session.ask('savings/deposit', { ...dave, amount: '30', reference: 'save 1' })
  await session.ask('savings/withdraw', { ...dave, amount: '10', reference: 'save 2' })
  await session.ask('house/payout', { asset: 'EUR', amount: '0.01', reference: 'house 1' })
  await session.ask('house/payout', { asset: 'XAU', amount: '0.000001', reference: 'house 2' })
  await session.ask('transfer/show', { reference: 'wire 1' })
}

/**
 * Withdrawals and requests that wait for a second person. People are tokens, since the node's own token is
 * one person.
 */
async function withdraw(session: AdminSession, later: () => void): Promise<void> {
  const dave = { account: 'dave', asset: 'EUR' }
  const { token: one } = await session.ask('token/add', { name: 'one', role: 'OPERATOR' })
  const { token: two } = await session.ask('token/add', { name: 'two', role: 'OPERATOR' })
  later()
  for (const name of ['1', '2', '3']) {
    await session.ask('withdrawal/hold', { ...dave, amount: '100', reference: `leaves ${name}` })
  }
  await session.ask('withdrawal/list')
  await session.ask('withdrawal/claim', { reference: 'leaves 1' })
  await session.ask('withdrawal/complete', { reference: 'leaves 1' })
  await session.ask('withdrawal/refuse', { reference: 'leaves 2', reason: 'no vault' })
  await session.ask('withdrawal/cancel', { reference: 'leaves 3' })
  await session.ask('withdrawal/ended')
  const address = { ...dave, address: 'iban-1', tag: '7' }
  await session.ask('address/add', { ...address, label: 'bank', atOnce: true })
  await session.ask('address/list', { account: 'dave' })
  await session.ask('address/remove', address)
  await session.ask('approval/show')
  await session.ask('approval/needed', { needed: 1, asset: 'EUR' })
  await session.ask('approval/show')
  for (const reference of ['much 1', 'much 2'])
    await session.ask('money/credit', { ...dave, amount: '20000', reference }, one)
  await session.ask('approval/list')
  await session.ask('approval/approve', { reference: 'much 1' }, one)
  await session.ask('approval/approve', { reference: 'much 1' }, two)
  await session.ask('approval/reject', { reference: 'much 2' }, two)
  await session.ask('transfer/show', { reference: 'much 1' })
}

async function guard(session: AdminSession): Promise<void> {
  await session.ask('role/set', { name: 'night-desk', rights: ['credit', 'approve'] })
  await session.ask('role/limit', { role: 'night-desk', asset: 'EUR', inEach: '100', inDay: '1000' })
  await session.ask('role/list')
  await session.ask('token/add', { name: 'night', role: 'night-desk', addresses: ['10.0.0.0/8'] })
  await session.ask('token/set', { name: 'night', addresses: ['127.0.0.0/8'] })
  await session.ask('token/list')
  await session.ask('token/revoke', { name: 'night' })
  await session.ask('role/set', { name: 'nobodys', rights: ['credit'] })
  await session.ask('role/remove', { name: 'nobodys' })
  await session.ask('ban/add', { address: '192.0.2.7', minutes: 5 })
  await session.ask('ban/list')
  await session.ask('ban/lift', { address: '192.0.2.7' })
  await session.ask('clock/show')
}

async function look(session: AdminSession): Promise<void> {
  await session.ask('journal/read', { after: 0, bytesMax: 200 })
  await session.ask('journal/quarantined')
  await session.ask('audit/list', { limit: 3 })
  await session.ask('audit/find', { account: 'carol', kind: 'SetAccountTerms' })
  await session.ask('event/list', { limit: 3 })
  await session.ask('load/show')
  await session.ask('node/status')
}

async function close(session: AdminSession): Promise<void> {
  await session.ask('account/close', { account: 'erin' })
  await session.ask('account/show', { account: 'erin' })
  await session.ask('symbol/delist', { symbol: 'XAU/EUR' })
}
