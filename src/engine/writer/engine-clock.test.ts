/** The commands that the engine accepts while its clock is not trusted, and how it becomes trusted again. */

import { describe, expect, test } from 'bun:test'
import { COMMAND_CODES, type Command } from '../../core/commands/command.ts'
import type { CancelOrder } from '../../core/commands/orders.ts'
import { RULES_VERSION } from '../../core/exchange/rules.ts'
import { listOf } from '../../core/trading/lists/lists.fixture.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { Batch } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { account, limit, market } from './commands.fixture.ts'
import { Stage } from './engine-stage.fixture.ts'

const NOON = 1_790_000_000_000
const TEN_YEARS = 3_652 * 86_400_000
const order = limit(3, 'BUY', 5_000_000, 1_000_000)

/** A market with one open order, placed at noon; each further request comes a second later. */
async function trading() {
  const stage = new Stage({}, ANY_EXCHANGES.empty(), NOON)
  stage.elapsedMs = NOON
  let request = 0
  /** The answers to commands, and the time of their batch; undefined if nothing was journaled. */
  const give = async (...commands: readonly Command[]): Promise<readonly [string[], number | undefined]> => {
    const before = stage.answers.length
    const { seq } = stage.engine.tail
    for (const command of commands) stage.offer(++request, command)
    await stage.engine.flush()
    const answers = stage.answers.slice(before).map((answer) => answer.split(' ')[1] as string)
    const { seq: now, time } = stage.engine.tail
    return [answers, now > seq ? time - NOON : undefined]
  }
  const pass = (ms: number, wallMs = ms): void => {
    stage.elapsedMs = (stage.elapsedMs ?? 0) + ms
    stage.now += wallMs
  }
  await give(...market(), order)
  const accept = (): Command => ({
    kind: 'AcceptClock',
    operator: { actor: 'ann', note: 'the clock was a week slow' },
    clock: stage.now as TimeMs,
  })
  return { stage, give, pass, accept }
}

const cancel: CancelOrder = {
  kind: 'CancelOrder',
  accountId: 3 as AccountId,
  orderNumber: 1 as OrderNumber,
  orderTime: NOON as TimeMs,
}

describe('a clock that jumps ten years ahead once', () => {
  test('dates nothing: orders are refused, cancels and operators are served at the correct time', async () => {
    const { give, pass } = await trading()
    pass(1_000, TEN_YEARS)
    expect(await give(order)).toEqual([['CLOCK_NOT_TRUSTED'], undefined])
    expect(await give(order, cancel, account('carol'))).toEqual([
      ['CLOCK_NOT_TRUSTED', 'Done', 'AccountOpened'],
      1_000,
    ])
    pass(60_000)
    expect(await give(account('dora'))).toEqual([['AccountOpened'], 61_000])
  })

  test('replaces no order either: nothing is canceled', async () => {
    const { stage, give, pass } = await trading()
    const version = RULES_VERSION
    await give({ kind: 'SetRulesVersion', operator: { actor: 'ann', note: '' }, version })
    pass(1_000, TEN_YEARS)
    const { orderNumber, orderTime } = cancel
    const target = { orderNumber, orderTime }
    const mode = 'ALLOW_FAILURE'
    const replace: Command = { kind: 'ReplaceOrder', target, mode, restriction: undefined, order }
    expect(await give(replace)).toEqual([['CLOCK_NOT_TRUSTED'], undefined])
    expect(stage.machine.isOpen(orderNumber)).toBe(true)
  })

  test('places no list, and no pending orders of one whose working order is filled, until it is right again', async () => {
    const { stage, give, pass } = await trading()
    await give({ kind: 'SetRulesVersion', operator: { actor: 'ann', note: '' }, version: RULES_VERSION })
    const who = 3 as AccountId
    const legs = [
      { side: 'BUY', type: 'LIMIT', price: 6_000_000, quantity: 1_000_000 },
      { side: 'SELL', type: 'LIMIT', price: 7_000_000, quantity: 1_000_000 },
    ] as const
    const list = listOf('OTO', legs, { who })
    expect(await give(list)).toEqual([['ListAccepted'], 0])
    expect(await give(limit(4, 'SELL', 6_000_000, 1_000_000))).toEqual([['OrderAccepted'], 0])
    pass(1_000, TEN_YEARS)
    const isPlaced = () => stage.machine.due(10, stage.machine.time).length === 0
    expect([await give(list, cancel), isPlaced()]).toEqual([[['CLOCK_NOT_TRUSTED', 'Done'], 1_000], false])
    pass(1_000, 2_000 - TEN_YEARS)
    await give(order)
    expect(isPlaced()).toBe(true)
  })

  test('and comes back is trusted at once', async () => {
    const { give, pass } = await trading()
    pass(1_000, TEN_YEARS)
    await give(order)
    pass(1_000, 2_000 - TEN_YEARS)
    expect(await give(order)).toEqual([['OrderAccepted'], 2_000])
  })

  test('and is accepted dates the acceptance itself and all that comes later', async () => {
    const { stage, give, pass, accept } = await trading()
    pass(1_000, TEN_YEARS)
    const answers = ['CLOCK_NOT_TRUSTED', 'Done', 'AccountOpened']
    expect(await give(account('carol'), order, accept())).toEqual([answers, TEN_YEARS])
    const [batch] = await stage.engine.readBatches((stage.engine.tail.seq - 1) as Seq, 1)
    // The length of the command in four bytes, then its code: the acceptance precedes all commands with its
    // time.
    expect((batch as Batch).data[4]).toBe(COMMAND_CODES.AcceptClock)
    pass(1_000)
    expect(await give(order)).toEqual([['OrderAccepted'], TEN_YEARS + 1_000])
  })

  test('is not accepted where it shows something else than the operator saw', async () => {
    const { give, pass, accept } = await trading()
    pass(1_000, 86_400_000)
    const seen = accept()
    pass(1_000, TEN_YEARS)
    expect(await give(seen)).toEqual([['CLOCK_NOT_TRUSTED'], undefined])
    expect(await give(order)).toEqual([['CLOCK_NOT_TRUSTED'], undefined])
  })

  test('is not accepted by a command that could not be stored', async () => {
    const { stage, give, pass, accept } = await trading()
    pass(1_000, TEN_YEARS)
    stage.journal.nextFault = 'STORAGE_FULL'
    expect(await give(accept())).toEqual([['STORAGE_FULL'], undefined])
    expect(await give(order)).toEqual([['CLOCK_NOT_TRUSTED'], undefined])
    expect(await give(cancel)).toEqual([['Done'], 1_000])
  })
})

test('accepting a trusted clock leaves its trace and changes nothing', async () => {
  const { give, pass, accept } = await trading()
  pass(1_000)
  expect(await give(accept())).toEqual([['Done'], 1_000])
})
