/** The phase of all symbols together, and its planned changes. */

import { PLANNED_PHASES_MAX } from '../../../units/limits.ts'
import type { AdminExchange } from '../records.ts'
import { listOf, text } from './field.ts'
import { answers, changes, type OperationRows, reads } from './row.ts'

export const PHASE_OPERATIONS = {
  /** The phase of all symbols together. */
  'exchange/show': reads({
    title: 'Exchange phase',
    summary: 'Show the phase of the whole exchange and the planned phases.',
    rights: ['read'],
    examples: ['exchange show'],
    told: 'the exchange: `phase`, `since` (null: since the exchange was created), `by`, `note`, `planned` (list of `phase`, `at`, `by`, `note`, in order of time)',
    answer: answers<AdminExchange>(),
  }),
  'exchange/halt': changes('QUICK', {
    title: 'Halt all trading',
    summary:
      'Stop trading in all symbols at once (CANCEL_ONLY); open orders can still be canceled. Drops all planned phases.',
    rights: ['phases'],
    examples: ['exchange halt --note "prices are wrong"'],
    told: 'the exchange: `CANCEL_ONLY`',
    answer: answers<AdminExchange>(),
  }),
  'exchange/close': changes('PHASES', {
    title: 'Close the exchange',
    summary: 'Close the exchange at once (CLOSED): no new orders and no cancels. Drops all planned phases.',
    rights: ['phases'],
    examples: ['exchange close --note "maintenance"'],
    told: 'the exchange: `CLOSED`',
    answer: answers<AdminExchange>(),
  }),
  'exchange/open': changes('PHASES', {
    title: 'Open the exchange',
    summary:
      'Resume trading at once (TRADING), after a halt. Halt a closed exchange first, so that traders can cancel.',
    rights: ['phases'],
    examples: ['exchange open --note "prices are right again"'],
    told: 'the exchange: `TRADING`; `PHASE_SEQUENCE`: the exchange is closed, `exchange/halt` comes first',
    answer: answers<AdminExchange>(),
  }),
  /**
   * In the order of their times, each as `CLOSED@2026-12-01T02:00:00Z` or `CLOSED@+30m`; they replace those
   * planned before.
   */
  'exchange/plan': changes('PHASES', {
    title: 'Plan phases',
    summary: 'Plan up to four phases, replacing those planned before.',
    rights: ['phases'],
    words: {
      steps: listOf(
        text(''),
        1,
        PLANNED_PHASES_MAX,
        'CANCEL_ONLY, CLOSED or TRADING, each with its time, separated by commas: CLOSED@2026-12-01T02:00:00Z or CLOSED@+30m',
      ),
    },
    examples: ['exchange plan CANCEL_ONLY@+30m,CLOSED@+40m,CANCEL_ONLY@+70m,TRADING@+80m --note "upgrade"'],
    told: 'the exchange; `PHASE_SEQUENCE`',
    answer: answers<AdminExchange>(),
  }),
  'exchange/unplan': changes('PHASES', {
    title: 'Cancel the plan',
    summary: 'Drop all planned phases; the current phase stays.',
    rights: ['phases'],
    examples: ['exchange unplan --note "put off to Sunday"'],
    told: 'the exchange',
    answer: answers<AdminExchange>(),
  }),
} satisfies OperationRows
