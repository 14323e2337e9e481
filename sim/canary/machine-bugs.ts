/**
 * Bugs in the exchange itself: matching, money, references. Every replica has them, so only a checker that
 * knows the rules can find them.
 */
import { amountSum, difference } from '../../src/core/ledger/money.ts'
import type { StateMachine } from '../../src/engine/port/state-machine.ts'
import type { AccountId, OrderNumber } from '../../src/units/ids.ts'
import { amount, type Price } from '../../src/units/quantities.ts'
import { withBook, withCommands, withEvents, withMachine } from './canary.ts'
import type { CanaryTest } from './canary-test.ts'

export const MACHINE_BUGS = {
  rounding: {
    rule: 'every unit of money is accounted for',
    seeds: 10,
    canary: withEvents((event) =>
      event.kind === 'OrdersMatched' && event.quantity % 3 === 0
        ? { ...event, maker: { ...event.maker, total: amountSum(event.maker.total, amount(1)) } }
        : event,
    ),
  },
  mint: {
    rule: 'each asset sums to zero',
    seeds: 5,
    canary: withCommands((command) =>
      command.kind === 'Credit' ? { ...command, amount: amountSum(command.amount, amount(1)) } : command,
    ),
  },
  'drop-cancel': {
    rule: 'a cancel that was acknowledged is done',
    seeds: 5,
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      const refuse = machine.refuse.bind(machine)
      machine.apply = (command, time, emit) => {
        if (command.kind !== 'CancelOrder' || command.orderNumber % 5 !== 0) return apply(command, time, emit)
        refuse(time)
        return { kind: 'Done', repeated: false }
      }
    }),
  },
  'repeat-reference': {
    rule: 'a repeated reference has one effect',
    seeds: 10,
    canary: withCommands((command, seq) =>
      'reference' in command && command.reference.length > 0
        ? { ...command, reference: `${command.reference.slice(0, 150)} ${seq}` }
        : command,
    ),
  },
  'rotation-drops-secret': {
    rule: 'a rotated key goes on with its old secret for as long as its operator said',
    seeds: 40,
    canary: withEvents((event) => {
      if (event.kind !== 'ApiKeyChanged') return event
      const { previousSecret: _, ...apiKey } = event.apiKey
      return { ...event, apiKey }
    }),
  },
  'last-in-first-out': {
    rule: 'at one price the oldest order trades first',
    seeds: 60,
    canary: withBook((book) => {
      const best = book.best.bind(book)
      book.best = (side) => {
        const first = best(side)
        if (first < 0) return first
        let chosen = first
        for (const slot of book.slots(side)) if (book.price(slot) === book.price(first)) chosen = slot
        return chosen
      }
      return book
    }),
  },
  'worse-price-first': {
    rule: 'the best price trades first',
    seeds: 10,
    canary: withBook((book) => {
      const best = book.best.bind(book)
      book.best = (side) => {
        const slots = [...book.slots(side)]
        return slots.length > 3 ? (slots[3] as (typeof slots)[number]) : best(side)
      }
      return book
    }),
  },
  'taker-pays-maker-rate': {
    rule: 'who takes pays the rate of the taker',
    seeds: 5,
    canary: withCommands((command) => {
      if (command.kind === 'ListSymbol') {
        return { ...command, terms: { ...command.terms, takerRate: command.terms.makerRate } }
      }
      return command.kind === 'SetSymbolRates' ? { ...command, takerRate: command.makerRate } : command
    }),
  },
  'commission-rounds-down': {
    rule: 'commission is rounded half up over the life of an order',
    seeds: 10,
    canary: withEvents((event) =>
      event.kind === 'OrdersMatched' && event.taker.commission > 0
        ? {
            ...event,
            taker: { ...event.taker, commission: difference(event.taker.commission, amount(1)) },
          }
        : event,
    ),
  },
  'worse-than-asked': {
    rule: 'no order trades at a worse price than it asked for',
    seeds: 10,
    canary: withCommands((command) =>
      command.kind === 'PlaceOrder' && command.type === 'LIMIT' && command.price !== undefined
        ? { ...command, price: (command.price + (command.side === 'BUY' ? 2 : 0)) as Price }
        : command,
    ),
  },
  'rest-instead-of-expire': {
    rule: 'what an IOC order cannot trade at once is given up',
    seeds: 10,
    canary: withCommands((command) =>
      command.kind === 'PlaceOrder' && command.type === 'LIMIT'
        ? { ...command, timeInForce: 'GTC' }
        : command,
    ),
  },
  'cancel-for-anyone': {
    rule: 'only its owner cancels an order',
    seeds: 20,
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      machine.apply = (command, time, emit) => {
        if (command.kind !== 'CancelOrder') return apply(command, time, emit)
        const owner = machine.bootstrap().accounts.find(({ id }) => owns(machine, id, command.orderNumber))
        return apply({ ...command, accountId: owner?.id ?? command.accountId }, time, emit)
      }
    }),
  },
  'self-approval': {
    rule: 'nobody approves what he asked for himself',
    seeds: 60,
    canary: withCommands((command) =>
      command.kind === 'Approve'
        ? { ...command, operator: { ...command.operator, actor: 'somebody else' } }
        : command,
    ),
  },
  'spend-what-is-held': {
    rule: 'money of a withdrawal waits until it is gone or free again',
    seeds: 20,
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      machine.apply = (command, time, emit) => {
        if (command.kind !== 'HoldWithdrawal') return apply(command, time, emit)
        return apply({ ...command, kind: 'MoveBetweenBuckets', from: 'free', to: 'freeze' }, time, emit)
      }
    }),
  },
  'published-without-band': {
    rule: 'what is published of a symbol is what was changed',
    seeds: 20,
    canary: withEvents((event) => {
      if (event.kind !== 'SymbolChanged') return event
      const { priceBand: _, ...symbol } = event.symbol
      return { ...event, symbol }
    }),
  },
  'restricted-trades': {
    rule: 'a restricted account places no order',
    seeds: 20,
    canary: withCommands((command) =>
      command.kind === 'SetAccountRestrictions' ? { ...command, restrictions: [] } : command,
    ),
  },
} as const satisfies Readonly<Record<string, CanaryTest>>

function owns(machine: StateMachine, account: AccountId, order: OrderNumber): boolean {
  const { orders } = machine.openOrdersPage({ accountId: account, symbolId: undefined, after: undefined })
  return orders.some(({ orderNumber }) => orderNumber === order)
}
