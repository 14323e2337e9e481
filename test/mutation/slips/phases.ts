/** Slips in the phase of the exchange. */
import type { Slip } from '../slips.ts'

const PHASES = 'src/core/exchange/phases.ts'
const OPERATIONS = 'src/core/operators/phases.ts'

export const PHASE_SLIPS: readonly Slip[] = [
  {
    wrong: 'a planned phase is in force only once it is announced',
    file: PHASES,
    before:
      'return firstTime === undefined || firstTime > time ? this.#current.phase : this.#lastBy(time).phase',
    after: 'return firstTime === undefined ? this.#current.phase : this.#current.phase',
  },
  {
    wrong: 'orders are triggered while the exchange does not trade',
    file: 'src/core/trading/due.ts',
    before: " && state.phases.at(time) === 'TRADING'",
    after: '',
  },
  {
    wrong: 'what is due is given to a phase that has not begun when it is carried out',
    file: 'src/core/trading/due.ts',
    before: 'isCarryingOut(state, market, time))',
    after: 'isCarryingOut(state, market))',
  },
  {
    wrong: 'a list is canceled while the exchange is closed',
    file: PHASES,
    before: "  'CancelClientList',\n",
    after: '',
  },
  {
    wrong: 'who changes the phase by hand leaves what was planned',
    file: PHASES,
    before: 'this.#current = change\n    this.#planned = []',
    after: 'this.#current = change',
  },
  {
    wrong: 'a phase that is asked for again begins anew',
    file: PHASES,
    before: 'if (change.phase !== this.#current.phase) this.#current = change',
    after: 'this.#current = change',
  },
  {
    wrong: 'a closed exchange trades at once',
    file: OPERATIONS,
    before: "before === 'CLOSED' && next === 'TRADING'",
    after: "before === 'CLOSED' && next === 'CLOSED'",
  },
  {
    wrong: 'an exchange that has closed as planned, and nobody has said so, trades at once',
    file: OPERATIONS,
    before: 'sequenceRefusal(phases.at(time), phase)',
    after: 'sequenceRefusal(phases.records.current.phase, phase)',
  },
  {
    wrong: 'nobody wakes the engine for a planned phase',
    file: 'src/core/exchange/exchange.ts',
    before: ', phases.firstTime]',
    after: ']',
  },
  {
    wrong: 'a snapshot forgets the phase',
    file: 'src/core/snapshot/snapshot.ts',
    before: 'isEmpty: ({ phases }) => phases.isUnused,',
    after: 'isEmpty: () => true,',
  },
]
