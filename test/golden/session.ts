/**
 * The session in a golden journal: some hundred commands of every kind, valid and invalid, in batches of
 * several sizes; the engine is stopped and started in between, and one command crashes the machine and is
 * quarantined.
 */

import { type MemoryEngine, startMemoryEngine } from '../../sim/memory/engine.ts'
import { type Command, type CommandOf, isEngines } from '../../src/core/commands/command.ts'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import type { AccountOpened, SessionOpened, SymbolListed } from '../../src/core/questions/reply.ts'
import { listOf } from '../../src/core/trading/lists/lists.fixture.ts'
import { endOf } from '../../src/engine/port/journal.ts'
import {
  EXCHANGE_FACTORY,
  type StateMachine,
  type StateMachineFactory,
} from '../../src/engine/port/state-machine.ts'
import { CLAIM_NONCE_BYTES, claimBatch } from '../../src/engine/writer/own-batches.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import { openStorage } from '../../src/storage/sqlite/storage.ts'
import type { AccountId, KeyNumber, SymbolId } from '../../src/units/ids.ts'
import { CANCEL_ORDERS_MAX } from '../../src/units/limits.ts'
import { amount, type Lots, type Price, type TimeMs } from '../../src/units/quantities.ts'
import { RandomSource } from '../model/random-source.ts'
import { OPERATOR } from '../model/random-world.ts'
import { Comparison, MODEL_START_MS, runSeeds } from '../model/run.ts'
import { marketSteps, orderOf } from '../model/scenario.ts'

const SEED = 7
const STEPS = 3_500
const BATCHES = [1, 2, 5, 1, 12, 3] as const
/** Kinds so rare that a run may have none. */
const RARE: readonly Command[] = [
  { kind: 'BanAddress', operator: OPERATOR, address: '192.0.2.7', until: 4_000_000_000_000 as TimeMs },
  { kind: 'LiftBan', operator: OPERATOR, address: '192.0.2.7' },
  { kind: 'CancelClientList', accountId: 2 as AccountId, listClientOrderId: 'nobody knows it' },
  {
    kind: 'SetSymbolIncrements',
    operator: OPERATOR,
    symbol: 'NO/NE',
    tickSize: 1 as Price,
    stepSize: 1 as Lots,
  },
  { kind: 'AcceptClock', operator: OPERATOR, clock: MODEL_START_MS as TimeMs },
  { kind: 'NoteChange', operator: OPERATOR, subject: 'webhook books', change: 'paused' },
]
const POISON: Command = { kind: 'CreateAccount', operator: OPERATOR, name: 'poison' }

/** Runs the session on the production storage in `directory`; the result there is the golden journal. */
export async function playSession(directory: string): Promise<void> {
  const commands = sessionCommands()
  const half = Math.floor(commands.length / 2)
  const clock = new SessionClock()
  const start = () =>
    startMemoryEngine({ ...openStorage({ directory }), clock: clock.read, machines: FAULTY })

  const first = await start()
  await submitAll(first, clock, commands.slice(0, half))
  await first.stop()
  await meetPoison(directory, clock)
  const second = await start()
  if (second.report.newlyQuarantined.length !== 1) throw new Error('the poison must have been quarantined')
  await submitAll(second, clock, commands.slice(half))
  // The crowd trades, whatever state the run left.
  for (const phase of ['CANCEL_ONLY', 'TRADING'] as const)
    await second.port.submit({ kind: 'SetPhase', operator: OPERATOR, phase })
  const crowd = await cancelCrowd(second)
  await fillWorking(second, crowd)
  await leaveSessions(second, crowd)
  await askForMoney(second, crowd)
  await shareRights(second, clock, crowd)
  await payTogether(second, clock, crowd)
  await keepPlan(second, clock)
  await leaveOrders(second, clock, crowd)
  await keepCustomers(second)
  await endKeys(second, clock, crowd)
  await nameSymbols(second)
  for (const command of RARE) await second.port.submit(command)
  await second.stop()
  await claim(directory)
  // The first command of this start states that no connection is left.
  const third = await start()
  clock.advance({ time: clock.read() + 2_000 })
  await third.port.submit({ kind: 'MarkTime' })
  // The next account buys from the crowd's account; numbers have jumped.
  const { accountId, symbolId } = crowd
  const order = { symbolId, price: 100, quantity: 1_000 } as const
  await third.port.submit(orderOf({ ...order, accountId, side: 'SELL' }))
  await third.port.submit(orderOf({ ...order, accountId: (accountId + 1) as AccountId, side: 'BUY' }))
  await third.stop()
}

/** Claims a new epoch of the journal, which the next start leads. */
async function claim(directory: string): Promise<void> {
  const { journal, witness } = openStorage({ directory })
  const batch = claimBatch(sha256, journal.tail, { name: 'golden', nonce: new Uint8Array(CLAIM_NONCE_BYTES) })
  await journal.append(batch)
  witness.record(endOf(batch))
  witness.close()
  await journal.close()
}

/** Advances only when a command has a later time. */
class SessionClock {
  #time = MODEL_START_MS
  readonly read = (): TimeMs => this.#time as TimeMs

  advance({ time }: Pick<TimedCommand, 'time'>): void {
    this.#time = Math.max(this.#time, time)
  }
}

/** A command at the time at which the model issued it: the times in it are relative to that. */
type TimedCommand = { readonly command: Command; readonly time: number }

/**
 * A random run of the model, in which core and reference exchange agree on every step; the engine issues its
 * own commands by itself.
 */
function sessionCommands(): TimedCommand[] {
  const random = new RandomSource(SEED)
  const comparison = new Comparison()
  runSeeds(
    Array.from({ length: STEPS }, () => random.word()),
    () => {},
    comparison,
  )
  const commands: TimedCommand[] = []
  let time = MODEL_START_MS
  for (const step of comparison.steps) {
    if (step.kind === 'reload') continue
    time += step.afterMs
    if (step.kind === 'apply' && !isEngines(step.command)) commands.push({ command: step.command, time })
  }
  // The newest rules from the first command on: a replay needs no older rules.
  const newest: Command = { kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION }
  const under = commands.filter(({ command }) => command.kind !== 'SetRulesVersion')
  return [{ command: newest, time: MODEL_START_MS }, ...under]
}

async function submitAll(
  engine: MemoryEngine,
  clock: SessionClock,
  commands: readonly TimedCommand[],
): Promise<void> {
  for (let at = 0, turn = 0; at < commands.length; turn++) {
    const batch = commands.slice(at, at + (BATCHES[turn % BATCHES.length] as number))
    for (const command of batch) clock.advance(command)
    await Promise.all(batch.map(({ command }) => engine.port.submit(command)))
    at += batch.length
  }
}

type Crowd = { readonly accountId: AccountId; readonly symbolId: SymbolId }

/**
 * Places more orders of an account than one command cancels, then cancels all of them, in a market of their
 * own.
 */
async function cancelCrowd({ port }: MemoryEngine): Promise<Crowd> {
  const [asset, , listing, account] = marketSteps().flatMap((step) =>
    step.kind === 'apply' ? [step.command] : [],
  )
  const quote = { ...asset, code: 'COIN', name: 'COIN' } as Command
  await port.submit(asset as Command)
  await port.submit(quote)
  const { symbolId } = (await port.submit(listing as Command)) as SymbolListed
  const { accountId } = (await port.submit({ ...account, name: 'crowd' } as Command)) as AccountOpened
  const credit = { kind: 'Credit', operator: OPERATOR, accountId, asset: 'GOLD', reference: 'crowd' } as const
  await port.submit({ ...credit, amount: amount(10n ** 9n) })
  const order = orderOf({ accountId, symbolId, side: 'SELL', price: 100, quantity: 1_000 })
  await Promise.all(Array.from({ length: CANCEL_ORDERS_MAX + 20 }, () => port.submit(order)))
  await port.submit({ kind: 'CancelAllOrders', accountId, symbolId: undefined })
  await port.submit({ kind: 'MarkTime' })
  return { accountId, symbolId }
}

/** A list whose pending order is placed, since another account fills its working order. */
async function fillWorking({ port }: MemoryEngine, { accountId, symbolId }: Crowd): Promise<void> {
  for (const phase of ['CANCEL_ONLY', 'TRADING'] as const)
    await port.submit({ kind: 'SetPhase', operator: OPERATOR, phase })
  const { accountId: buyer } = (await port.submit({
    kind: 'CreateAccount',
    operator: OPERATOR,
    name: 'buyer',
  })) as AccountOpened
  const credit = { kind: 'Credit', operator: OPERATOR, asset: 'COIN', reference: 'buyer' } as const
  await port.submit({ ...credit, accountId: buyer, amount: amount(10n ** 9n) })
  const legs = [
    { side: 'SELL', type: 'LIMIT', price: 100, quantity: 1_000 },
    { side: 'SELL', type: 'LIMIT', price: 200, quantity: 1_000 },
  ] as const
  await port.submit({ ...listOf('OTO', legs, { who: accountId }), symbolId })
  await port.submit(orderOf({ accountId: buyer, symbolId, side: 'BUY', price: 100, quantity: 1_000 }))
  await port.submit({ kind: 'MarkTime' })
}

/** Orders over two connections: one ends, and its orders with it; the other is open when the engine stops. */
async function leaveSessions({ port }: MemoryEngine, { accountId, symbolId }: Crowd): Promise<void> {
  const rest = { sealedSecret: new Uint8Array(60), permissions: [], addresses: [], label: '' }
  await port.submit({ kind: 'CreateApiKey', operator: OPERATOR, accountId, apiKey: 'crowd', ...rest })
  const open = { kind: 'OpenSession', accountId, apiKey: 'crowd', resumes: undefined } as const
  const order = orderOf({ accountId, symbolId, side: 'SELL', price: 100, quantity: 1_000 })
  for (const graceMs of [0, 1_000]) {
    const { sessionNumber, attachment } = (await port.submit({ ...open, graceMs })) as SessionOpened
    for (let i = 0; i < 3; i++) await port.submit({ ...order, sessionNumber })
    if (graceMs === 0) await port.submit({ kind: 'DisconnectSession', sessionNumber, attachment })
  }
  await port.submit({ kind: 'MarkTime' })
}

/**
 * Traders' withdrawals: one waits, one is claimed, one is paid, one is canceled and one refused. And an
 * address that is not yet usable.
 */
async function askForMoney({ port }: MemoryEngine, { accountId }: Crowd): Promise<void> {
  const place = { accountId, asset: 'GOLD', tag: '7', isAllowed: true, label: 'vault' }
  const add = { kind: 'SetAccountAddress', operator: OPERATOR, ...place, address: 'gold-1' } as const
  await port.submit({ ...add, isAtOnce: true })
  await port.submit({ kind: 'SetOwnAddress', ...place, address: 'gold-2' })
  const of = { accountId, asset: 'GOLD', amount: amount(10n), address: 'gold-1', tag: '7' }
  const asked = async (withdrawOrderId: string) => {
    const reply = await port.submit({ kind: 'AskWithdrawal', ...of, withdrawOrderId })
    if (reply.kind !== 'WithdrawalAsked') throw new Error(`${withdrawOrderId}: ${JSON.stringify(reply)}`)
    return reply.reference
  }
  const handle = { kind: 'HandleWithdrawal', operator: OPERATOR, step: 'CLAIM', reason: '' } as const
  await asked('waits')
  await port.submit({ ...handle, reference: await asked('claimed') })
  const paid = await asked('paid')
  await port.submit({ ...handle, reference: paid })
  await port.submit({ kind: 'CompleteWithdrawal', operator: OPERATOR, reference: paid })
  const name = { kind: 'ID', reference: await asked('retracted') } as const
  await port.submit({ kind: 'RetractWithdrawal', accountId, name })
  await port.submit({ ...handle, reference: await asked('refused'), step: 'REFUSE', reason: 'no vault' })
}

/** A customer who changed the ways to sign in and froze the account, and one whose data was erased. */
async function keepCustomers({ port }: MemoryEngine): Promise<void> {
  const open = async (name: string): Promise<AccountId> => {
    const reply = await port.submit({ kind: 'OpenCustomer', operator: OPERATOR, name })
    return (reply as AccountOpened).accountId
  }
  const [accountId, leaves] = [await open('c-golden-1'), await open('c-golden-2')]
  for (let changes = 0; changes < 2; changes++)
    await port.submit({ kind: 'RaiseCustomerEpoch', operator: OPERATOR, accountId })
  const change = { source: 'CUSTOMER', added: ['WITHDRAW'], removed: [] } as const
  await port.submit({ kind: 'ChangeRestrictions', operator: OPERATOR, accountId, ...change })
  await port.submit({ kind: 'ForgetCustomer', operator: OPERATOR, accountId: leaves })
}

/** A symbol with a name of its own for clients of Binance, and another that is refused the same name. */
async function nameSymbols({ port }: MemoryEngine): Promise<void> {
  const listing = marketSteps().flatMap((step) =>
    step.kind === 'apply' && step.command.kind === 'ListSymbol' ? [step.command] : [],
  )[0] as CommandOf<'ListSymbol'>
  const named = { ...listing, quote: 'AAA', binanceName: 'GOLD4AAA' }
  const reply = await port.submit(named)
  if (reply.kind !== 'SymbolListed') throw new Error('a symbol with a name must be listed')
  await port.submit({ ...named, quote: 'BBB' })
}

/** A key that was revoked, one that expired before it was revoked, and one that only expired. */
async function endKeys({ port }: MemoryEngine, clock: SessionClock, { accountId }: Crowd): Promise<void> {
  const expiresAt = (clock.read() + 1) as TimeMs
  const terms = { permissions: [], addresses: [], label: '', strictSignature: false } as const
  const of = { keyKind: 'HMAC', material: new Uint8Array(60), wire: 'BOURSE' } as const
  for (const apiKey of ['revoked', 'expired', 'expired alone']) {
    const at = { expiresAt: apiKey === 'revoked' ? (0 as TimeMs) : expiresAt }
    await port.submit({ kind: 'AddApiKey', operator: OPERATOR, accountId, apiKey, ...of, ...terms, ...at })
  }
  clock.advance({ time: expiresAt + 1 })
  for (const apiKey of ['revoked', 'expired'])
    await port.submit({ kind: 'RevokeApiKey', operator: OPERATOR, apiKey })
}

/**
 * A role with a partly used limit; tokens with terms, one of them revoked; and a request with one of two
 * approvals.
 */
async function shareRights({ port }: MemoryEngine, clock: SessionClock, { accountId }: Crowd): Promise<void> {
  const by = (actor: string) => ({ actor, note: '' })
  const role = 'night-desk'
  await port.submit({ kind: 'SetRole', operator: OPERATOR, name: role, rights: ['credit', 'approve'] })
  const people = ['night-1', 'night-2', 'night-3']
  const terms = { expiresAt: 4_000_000_000_000 as TimeMs, addresses: ['10.0.0.0/8'] }
  for (const [place, name] of people.entries()) {
    const digest = new Uint8Array(32).fill(200 + place)
    await port.submit({ kind: 'AddToken', operator: OPERATOR, name, role, digest, ...terms })
  }
  await port.submit({ kind: 'SetTokenTerms', operator: OPERATOR, name: 'night-3', ...terms, addresses: [] })
  await port.submit({ kind: 'RevokeAdminToken', operator: OPERATOR, name: 'night-3' })
  const each = { inEach: amount(0n), outEach: amount(50n), outDay: amount(60n) }
  const limit = { kind: 'SetRoleLimit', operator: OPERATOR, role, asset: 'GOLD', ...each } as const
  await port.submit({ ...limit, inDay: amount(1_000n) })
  const much = { name: 'GOLD', supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(100n) }
  await port.submit({ kind: 'SetAssetTerms', operator: OPERATOR, code: 'GOLD', ...much })
  await port.submit({ kind: 'SetApprovalsNeeded', operator: OPERATOR, asset: 'GOLD', needed: 2 })
  const credit = { kind: 'Credit', operator: by('night-1'), accountId, asset: 'GOLD' } as const
  // A token approves only requests that are newer than the token.
  clock.advance({ time: clock.read() + 1 })
  // One transfer that is made now, one that waits, and one above the daily limit.
  for (const units of [70n, 500n, 2_000n])
    await port.submit({ ...credit, amount: amount(units), reference: `night ${units}` })
  const { kind } = await port.submit({ kind: 'Approve', operator: by('night-2'), reference: 'night 500' })
  if (kind !== 'ApprovalNeeded') throw new Error(`one of two approvals must have been given, found ${kind}`)
}

/**
 * A large withdrawal is claimed with two approvals, a claim is rejected, and the refusal of a claimed
 * withdrawal waits.
 */
async function payTogether({ port }: MemoryEngine, clock: SessionClock, { accountId }: Crowd): Promise<void> {
  const by = (actor: string) => ({ operator: { actor, note: 'together' } })
  const people = ['pay-1', 'pay-2', 'pay-3'] as const
  for (const [place, name] of people.entries()) {
    const digest = new Uint8Array(32).fill(220 + place)
    await port.submit({ kind: 'AddAdminToken', operator: OPERATOR, name, role: 'OPERATOR', digest })
  }
  clock.advance({ time: clock.read() + 1 })
  const to = { asset: 'GOLD', address: 'gold-1', tag: '7' }
  const claim = async (withdrawOrderId: string) => {
    const ask = { kind: 'AskWithdrawal', accountId, ...to, amount: amount(101n), withdrawOrderId } as const
    const asked = await port.submit(ask)
    if (asked.kind !== 'WithdrawalAsked') throw new Error(`${withdrawOrderId}: ${JSON.stringify(asked)}`)
    const { reference } = asked
    await port.submit({ kind: 'HandleWithdrawal', ...by('pay-1'), reference, step: 'CLAIM', reason: '' })
    return reference
  }
  const approved = await claim('approved')
  for (const actor of ['pay-2', 'pay-3'])
    await port.submit({ kind: 'Approve', ...by(actor), reference: approved })
  const refuse = { kind: 'HandleWithdrawal', ...by('pay-3'), step: 'REFUSE', reason: 'no vault' } as const
  const { kind } = await port.submit({ ...refuse, reference: approved })
  if (kind !== 'ApprovalNeeded') throw new Error(`a refusal must wait for others, found ${kind}`)
  await port.submit({ kind: 'Reject', ...by('pay-2'), reference: await claim('rejected') })
  await claim('proposed')
}

/**
 * Orders that hide a part, expire, have a key, or were amended, a countdown, and a ban: all exist when the
 * engine stops.
 */
async function leaveOrders({ port }: MemoryEngine, clock: SessionClock, crowd: Crowd): Promise<void> {
  const { accountId, symbolId } = crowd
  const order = orderOf({ accountId, symbolId, side: 'SELL', price: 300, quantity: 1_000 })
  const expireTime = (clock.read() + 86_400_000) as TimeMs
  const named = { ...order, clientOrderId: 'amended' }
  const rests = { side: 'SELL', type: 'LIMIT', price: 300, quantity: 1_000 } as const
  for (const each of [
    { ...order, icebergQuantity: 100 as Lots } as Command,
    { ...order, keyNumber: 1 as KeyNumber },
    { ...listOf('OTO', [rests, rests], { who: accountId }), symbolId, keyNumber: 300 as KeyNumber },
    { ...order, timeInForce: 'GTD', expireTime } as Command,
    named,
    {
      kind: 'AmendOrder',
      accountId,
      target: { clientOrderId: named.clientOrderId },
      quantity: amount(5n * 10n ** 17n),
    } as const,
    { kind: 'SetCountdown', accountId, symbolId, countdownMs: 86_400_000, keepsStops: true } as const,
    {
      kind: 'BanAddress',
      operator: OPERATOR,
      address: '192.0.2.8',
      until: 4_000_000_000_000 as TimeMs,
    } as const,
  ]) {
    const reply = await port.submit(each)
    if (reply.kind === 'Refused') throw new Error(`${each.kind} was refused: ${reply.reason}`)
  }
}

/** A planned halt begins and ends by itself. */
async function keepPlan({ port }: MemoryEngine, clock: SessionClock): Promise<void> {
  const at = (afterMs: number) => (clock.read() + afterMs) as TimeMs
  const steps = [
    { phase: 'CANCEL_ONLY', at: at(1) },
    { phase: 'TRADING', at: at(2) },
  ] as const
  await port.submit({ kind: 'PlanPhases', operator: OPERATOR, steps })
  clock.advance({ time: at(3) })
  await port.submit({ kind: 'MarkTime' })
}

/** An engine that crashes because of one command, after the command is durable. */
async function meetPoison(directory: string, { read: clock }: SessionClock): Promise<void> {
  const storage = openStorage({ directory })
  const death = Promise.withResolvers<unknown>()
  const engine = await startMemoryEngine({ ...storage, clock, machines: FAULTY, onDeath: death.resolve })
  await engine.port.submit(POISON).catch(() => {})
  await death.promise
  storage.witness.close()
  await storage.journal.close()
}

/** The exchange with a bug: an account named `poison` crashes it. */
const FAULTY: StateMachineFactory = {
  empty: () => faulty(EXCHANGE_FACTORY.empty()),
  fromSnapshot: (payload) => faulty(EXCHANGE_FACTORY.fromSnapshot(payload)),
}

function faulty(machine: StateMachine): StateMachine {
  return new Proxy(machine, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown
      if (name === 'apply') {
        return (...args: Parameters<StateMachine['apply']>) => {
          const [command] = args
          if (command.kind === 'CreateAccount' && command.name === 'poison') throw new Error('a bug')
          return target.apply(...args)
        }
      }
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
