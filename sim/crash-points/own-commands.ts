/**
 * Scenarios of delayed actions of the exchange: triggers, timers, lists. A crash between the cause and the
 * engine's own command must neither lose nor duplicate the action.
 */
import type { PlaceList } from '../../src/core/commands/order-lists.ts'
import type { SymbolId } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { MASS_CANCEL_STEPS } from '../checkers/shadow-mass-cancels.ts'
import { demand } from '../checkers/shadow-state.ts'
import { ALICE, BOB, type Play } from './play.ts'
import { type Scenario, trade } from './scenario.ts'

const SNAPSHOT_COMMANDS = 3
/** Longer than any of the times that are set here. */
const TIMERS_OVER_MS = 150

export const OWN_COMMANDS = {
  triggers: {
    stresses:
      'orders whose trigger is reached, what their trades reach in turn, and one that is due over a restart',
    profile: { snapshotCommands: SNAPSHOT_COMMANDS, diskDelayMs: 6 },
    play: (play) => {
      play.open()
      for (const price of [100, 101, 102]) play.send(play.order(ALICE, 'SELL', price, 2))
      // Each order buys up to the price that the next one waits for.
      play.send(play.stop(BOB, 'BUY', 100, 101, 2))
      play.send(play.stop(BOB, 'BUY', 101, 102, 2))
      play.send(play.order(BOB, 'BUY', 100, 1))
      play.rest(20)
      play.send(play.stop(ALICE, 'BUY', 103, 104, 1))
      play.send(play.order(ALICE, 'SELL', 103, 1))
      haltBehind(play, play.order(BOB, 'BUY', 103, 5))
      demand(play.known.due.length === 1, 'the trigger of an order in a halted symbol is reached')
      restartFromSnapshot(play)
      play.send(play.setState('TRADING'))
      play.rest(20)
    },
  },
  trailing: {
    stresses: 'an order that follows the price over a restart, and is triggered when the price comes back',
    profile: { snapshotCommands: SNAPSHOT_COMMANDS, diskDelayMs: 6 },
    play: (play) => {
      play.open()
      const deal = (price: number) => {
        play.send(play.order(BOB, 'BUY', price, 1))
        play.send(play.order(ALICE, 'SELL', price, 1))
      }
      play.send(play.trailing(ALICE, 'SELL', 100, 9_000, 2))
      for (const price of [10_000, 10_300, 10_200]) deal(price)
      demand(bestOf(play) === 10_300, 'the order follows the highest price')
      restartFromSnapshot(play)
      // The order is triggered at 10,197 and below.
      deal(10_198)
      demand(bestOf(play) === 10_300, 'a restart keeps the best price')
      play.send(play.order(BOB, 'BUY', 9_000, 2))
      deal(10_197)
      play.rest(20)
      demand(
        play.known.waiting.length === 0,
        'an order is triggered when the price comes back by its distance',
      )
      trade(play)
    },
  },
  timers: {
    stresses:
      'orders whose time is over, a mass cancel in several commands, and a countdown that ends over a restart',
    profile: { snapshotCommands: SNAPSHOT_COMMANDS, diskDelayMs: 6 },
    play: (play) => {
      play.open()
      const expireTime = (play.known.time + 40) as TimeMs
      play.send({ ...play.order(ALICE, 'SELL', 110, 2), timeInForce: 'GTD', expireTime } as never)
      const orders = MASS_CANCEL_STEPS.first + MASS_CANCEL_STEPS.next + 1
      for (let n = 0; n < orders; n++) play.send(play.order(BOB, 'BUY', 80 + n, 1))
      // The commands after the cancel stay in the journal.
      play.together([
        { kind: 'CancelAllOrders', accountId: BOB, symbolId: undefined },
        play.order(BOB, 'BUY', 70, 3),
      ])
      play.rest(20)
      play.send(play.countdown(BOB, 90))
      restartFromSnapshot(play)
      play.rest(TIMERS_OVER_MS)
      trade(play)
    },
  },
  lists: {
    stresses:
      'a working order that is filled and its pending pair, a list that is due over a restart, a pair of which one is executed',
    profile: { snapshotCommands: SNAPSHOT_COMMANDS, diskDelayMs: 6 },
    play: (play) => {
      play.open()
      const bracket = otoco(play)
      play.send(bracket)
      play.send(play.order(ALICE, 'SELL', 100, 4))
      play.rest(20)
      play.send(bracket)
      // The pair's take-profit is filled, and its stop ends.
      play.send(play.order(ALICE, 'BUY', 120, 1))
      play.send(otoco(play))
      haltBehind(play, play.order(ALICE, 'SELL', 100, 4))
      demand(play.known.dueLists.length === 1, 'a list in a halted symbol is due')
      restartFromSnapshot(play)
      play.send(play.setState('TRADING'))
      play.rest(20)
    },
  },
} as const satisfies Readonly<Record<string, Scenario>>

/** Buys at 100, then sells at 120 or, from 80 down, at any price. */
function otoco(play: Play): PlaceList {
  const head = { kind: 'PlaceList', accountId: BOB, symbolId: 0 as SymbolId, list: 'OTOCO' } as const
  return {
    ...head,
    selfTradeMode: undefined,
    listClientOrderId: play.id('list'),
    legs: [
      play.leg('LIMIT', 'BUY', { price: 100, quantity: 4, timeInForce: 'GTC' }),
      play.leg('LIMIT_MAKER', 'SELL', { price: 120 }),
      play.leg('STOP_LOSS', 'SELL', { stopPrice: 80 }),
    ],
  }
}

/**
 * Halts the symbol in the same batch as an order that makes something due, so that this is not carried out.
 */
function haltBehind(play: Play, order: ReturnType<Play['order']>): void {
  play.behind(play.credit(ALICE, 'AAA', 1n), [order, play.setState('HALTED')])
}

/** The snapshot contains what is due when the exchange starts again. */
function restartFromSnapshot(play: Play): void {
  for (let n = 0; n < SNAPSHOT_COMMANDS; n++) play.send(play.credit(BOB, 'AAA', 1n))
  play.untilFollowed()
  play.restart()
}

/** The best price of the one order that follows the price. */
function bestOf({ known }: Play): number | undefined {
  return known.waiting[0]?.stop?.trailing?.best
}
