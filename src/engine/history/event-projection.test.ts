/**
 * Facts of the numbered feed that follow from time, not from a command: planned phases, and expired
 * approvals.
 */
import { expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../../core/exchange/exchange-harness.fixture.ts'
import type { AccountId } from '../../units/ids.ts'
import { APPROVAL_LIFETIME_MS } from '../../units/limits.ts'
import { amount, seq, timeMs } from '../../units/quantities.ts'
import { HistoryProjection } from './history-projection.ts'
import { eventNumber, LAPSE_PLACE, LAST_PLACE, type NumberedEvent } from './numbered-events.ts'

/** The first millisecond after the commands of `ExchangeHarness`. */
const START = 1_000

/** An exchange in which credits above one unit wait for a second person, and its feed. */
class Feed {
  #exchange: Exchange
  #projection: HistoryProjection
  readonly alice: AccountId

  constructor() {
    const harness = new ExchangeHarness()
    this.alice = harness.trader('alice', { BTC: 1_000_000n })
    for (const name of ['ann', 'ben', 'cleo']) harness.token(name)
    const terms = { code: 'BTC', name: 'Bitcoin', supplyCap: amount(0n), creditMax: amount(0n) }
    harness.give({ kind: 'SetAssetTerms', operator: OPERATOR, ...terms, approvalAbove: amount(1n) })
    this.#exchange = harness.exchange
    this.#projection = new HistoryProjection(this.#exchange)
  }

  get seq(): number {
    return this.#exchange.seq
  }

  /** Carries out a command at a given time; returns its facts in the feed. */
  at(time: number, command: Command): readonly NumberedEvent[] {
    const reply = this.#exchange.apply(command, timeMs(time), this.#projection.sink)
    this.#projection.note({ seq: this.#exchange.seq, time: timeMs(time), command, reply })
    return this.#projection.drain().events
  }

  /** Skips a quarantined command; returns its facts in the feed. */
  passedOver(time: number): readonly NumberedEvent[] {
    const reply = this.#exchange.refuse(timeMs(time))
    this.#projection.note({ seq: this.#exchange.seq, time: timeMs(time), command: undefined, reply })
    return this.#projection.drain().events
  }

  /** Continues from a snapshot, as after a start. */
  reload(): void {
    this.#exchange = Exchange.decodeSnapshot(this.#exchange.encodeSnapshot())
    this.#projection = new HistoryProjection(this.#exchange)
  }

  credit(time: number, reference: string): readonly NumberedEvent[] {
    const money = { accountId: this.alice, asset: 'BTC', amount: amount(2n), reference }
    return this.at(time, { kind: 'Credit', operator: { actor: 'ann', note: '' }, ...money })
  }
}

const MARK: Command = { kind: 'MarkTime' }

const referencesOf = (events: readonly NumberedEvent[]) =>
  events.map(({ kind, fields }) => [kind, fields.reference])

test('an approval lapses with the first command at its end, whatever command that is, once', () => {
  const feed = new Feed()
  feed.credit(START, 'late')
  const end = START + APPROVAL_LIFETIME_MS
  expect(feed.at(end - 1, MARK)).toEqual([])
  const [lapsed, ...others] = feed.at(end, MARK)
  expect(others).toEqual([])
  expect(lapsed).toEqual({
    ...{ kind: 'APPROVAL_LAPSED', accountId: feed.alice, actor: '', note: '' },
    ...{ seq: seq(feed.seq), time: timeMs(end), number: eventNumber(seq(feed.seq), 0, LAPSE_PLACE) },
    fields: { asset: 'BTC', amount: '0.00000002', reference: 'late', of: 'Credit', askedBy: 'ann' },
  })
  expect(feed.at(end + 1, MARK)).toEqual([])
  // The exchange removes it only now.
  expect(referencesOf(feed.credit(end + 2, 'new'))).toEqual([['APPROVAL_ASKED', 'new']])
})

test('the command with which the exchange forgets an approval also publishes that, under a higher number than its own request', () => {
  const feed = new Feed()
  feed.credit(START, 'same')
  const events = feed.credit(START + APPROVAL_LIFETIME_MS, 'same')
  expect(referencesOf(events)).toEqual([
    ['APPROVAL_ASKED', 'same'],
    ['APPROVAL_LAPSED', 'same'],
  ])
  expect(referencesOf(feed.at(START + 2 * APPROVAL_LIFETIME_MS, MARK))).toEqual([['APPROVAL_LAPSED', 'same']])
})

test('an approval lapses with a command that is skipped', () => {
  const feed = new Feed()
  feed.credit(START, 'late')
  expect(referencesOf(feed.passedOver(START + APPROVAL_LIFETIME_MS))).toEqual([['APPROVAL_LAPSED', 'late']])
})

test('a start from a snapshot neither forgets an approval that is to lapse nor publishes one that has lapsed', () => {
  const feed = new Feed()
  feed.credit(START, 'first')
  feed.credit(START + 10, 'second')
  feed.reload()
  const end = START + APPROVAL_LIFETIME_MS
  expect(referencesOf(feed.at(end, MARK))).toEqual([['APPROVAL_LAPSED', 'first']])
  feed.reload()
  expect(referencesOf(feed.at(end + 10, MARK))).toEqual([['APPROVAL_LAPSED', 'second']])
})

test('a given or rejected approval does not lapse', () => {
  const feed = new Feed()
  feed.credit(START, 'given')
  feed.credit(START, 'rejected')
  const operator = { actor: 'ben', note: '' }
  const given = feed.at(START + 1, {
    ...{ kind: 'Credit', operator, accountId: feed.alice, asset: 'BTC', amount: amount(2n) },
    ...{ reference: 'given' },
  } as Command)
  expect(given).toEqual([])
  feed.at(START + 2, { kind: 'Approve', operator, reference: 'given' })
  feed.at(START + 2, { kind: 'Reject', operator, reference: 'rejected' })
  expect(feed.at(START + APPROVAL_LIFETIME_MS, MARK)).toEqual([])
})

test('the last event of a command has all lapsed approvals that find no place of their own', () => {
  const feed = new Feed()
  const many = Array.from({ length: 20 }, (_, i) => `late-${i}`)
  for (const reference of many) feed.credit(START, reference)
  const events = feed.at(START + APPROVAL_LIFETIME_MS, MARK)
  const alone = LAST_PLACE - LAPSE_PLACE
  expect(events.slice(0, alone).map(({ fields }) => fields.reference)).toEqual(many.slice(0, alone))
  expect(events.slice(alone).map(({ accountId, fields }) => [accountId, fields])).toEqual([
    [undefined, { references: many.slice(alone) }],
  ])
  expect(events.map(({ number }) => number - eventNumber(seq(feed.seq), 0, 0))).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  ])
})

test('a planned phase is published when its time has come, in the name of the operator who planned it', () => {
  const feed = new Feed()
  const at = timeMs(START + 5)
  feed.at(START, {
    ...{ kind: 'PlanPhases', operator: { actor: 'ann', note: 'upgrade' } },
    steps: [{ phase: 'CLOSED', at }],
  } as Command)
  const told = feed.at(at, { kind: 'EnterPhase' })
  expect(told).toMatchObject([
    { kind: 'PHASE_CHANGED', actor: 'ann', note: 'upgrade', fields: { phase: 'CLOSED', planned: [] } },
  ])
})

test('each operator who approves a request that needs several is published, the last one as the one who gives the approval', () => {
  const feed = new Feed()
  feed.at(START, { kind: 'SetApprovalsNeeded', operator: OPERATOR, asset: '', needed: 2 })
  feed.credit(START + 1, 'big')
  const approve = (actor: string) =>
    feed.at(START + 2, { kind: 'Approve', operator: { actor, note: '' }, reference: 'big' })
  expect(approve('ben')).toMatchObject([
    {
      kind: 'APPROVAL_ADDED',
      actor: 'ben',
      accountId: feed.alice,
      fields: { by: 'ben', approvedBy: ['ben'] },
    },
  ])
  expect(approve('ben')).toEqual([])
  expect(referencesOf(approve('cleo'))).toEqual([
    ['CREDIT', 'big'],
    ['APPROVAL_GIVEN', 'big'],
  ])
})
