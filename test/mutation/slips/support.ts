/** Slips in operators' notes about accounts and in their special terms. */
import type { Slip } from '../slips.ts'

const TERMS = 'src/core/registry/special-terms.ts'
const STATE = 'src/core/exchange/state.ts'

export const SUPPORT_SLIPS: readonly Slip[] = [
  {
    wrong: 'special terms end a moment late',
    file: TERMS,
    before: 'return until === 0 || time < until',
    after: 'return until === 0 || time <= until',
  },
  {
    wrong: 'special terms without an end are over at once',
    file: TERMS,
    before: 'return until === 0 || time < until',
    after: 'return time < until',
  },
  {
    wrong: 'special terms that are over already are given',
    file: 'src/core/registry/registry.ts',
    before: 'if (!areValidTerms(terms) || endsBefore(terms, time))',
    after: 'if (!areValidTerms(terms))',
  },
  {
    wrong: 'orders in a window go on when their terms have ended',
    file: TERMS,
    before: 'return orderRate !== undefined && isInForce(orderRate, time) ? orderRate : undefined',
    after: 'return orderRate',
  },
  {
    wrong: 'who makes pays the special rate of who takes',
    file: STATE,
    before: "return share === 'makerShare' ? own.makerRate : own.takerRate",
    after: "return share === 'makerShare' ? own.takerRate : own.makerRate",
  },
  {
    wrong: 'a limit of the account goes before its special one',
    file: STATE,
    before: 'return own?.max ?? account?.openOrdersMax ?? symbol.openOrdersMax',
    after: 'return account?.openOrdersMax ?? own?.max ?? symbol.openOrdersMax',
  },
  {
    wrong: 'a customer id stands for two accounts',
    file: 'src/core/registry/registry.ts',
    before: 'if (owner !== undefined && owner !== id)',
    after: 'if (owner !== undefined && owner === id && id < 0)',
  },
  {
    wrong: 'a customer id that was given up stays taken',
    file: 'src/core/registry/record-store.ts',
    before: 'if (before) this.#accountIdByCustomer.delete(before)',
    after: 'if (before && id < 0) this.#accountIdByCustomer.delete(before)',
  },
  {
    wrong: 'an operator cancels another order than the one that is named',
    file: 'src/core/trading/cancel-orders.ts',
    before: 'if (order === undefined || order.time !== command.orderTime)',
    after: 'if (order === undefined)',
  },
  {
    wrong: 'a snapshot may have special terms of an account that has none',
    file: 'src/core/registry/optional-fields.ts',
    before: '!areValidTerms(special) || isWithoutTerms(special)',
    after: '!areValidTerms(special)',
    tests: ['src/core/registry/optional-fields.test.ts'],
  },
  {
    wrong: 'a snapshot may have restrictions of a customer that are not in force',
    file: 'src/core/registry/optional-fields.ts',
    before: 'either.size === all.length && ',
    after: '',
    tests: ['src/core/registry/optional-fields.test.ts'],
  },
  {
    wrong: 'a limit of an asset of 0 has two forms in a snapshot',
    file: 'src/core/registry/records.ts',
    before: '(units) => units > 0',
    after: '(units) => units >= 0',
    tests: ['src/core/registry/optional-fields.test.ts'],
  },
]
