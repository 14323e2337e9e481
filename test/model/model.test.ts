/**
 * The core and the reference exchange behave identically, step by step, in a short run; `model.slow.test.ts`
 * has the long ones.
 */
import { describe, expect, test } from 'bun:test'
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import { checkAgreement, shrink } from './agreement.ts'
import { Coverage } from './coverage.ts'
import { ReferenceExchange } from './reference-exchange.ts'
import { Comparison, DisagreementError } from './run.ts'
import { marketSteps, orderStep, TRADER } from './scenario.ts'
import type { Step } from './step.ts'

/** The seed of `model.slow.test.ts`, which continues this run: its early failures show here. */
const SEED = 10
const STEPS = 5_000

test('core and reference exchange agree on answers, events, balances, books and open orders in a short run', () => {
  expect(checkAgreement({ seed: SEED, steps: STEPS, coverage: new Coverage() })).toBeGreaterThan(0)
})

describe('the comparison notices', () => {
  const rest = orderStep({ accountId: TRADER.ann, side: 'SELL', price: 300, quantity: 7 })
  const take = orderStep({ accountId: TRADER.ben, side: 'BUY', price: 300, quantity: 5 })

  /** The core gets a different command from the reference exchange. */
  function disagreement(change: (order: PlaceOrder) => PlaceOrder): string {
    const comparison = new Comparison()
    for (const step of [...marketSteps(), rest]) comparison.take(step)
    const apply = ReferenceExchange.prototype.apply
    const commandOf = (step: Step) => (step.kind === 'apply' ? step.command : undefined)
    comparison.reference.apply = function (command, time, emit) {
      return apply.call(
        this,
        command === commandOf(take) ? change(command as PlaceOrder) : command,
        time,
        emit,
      )
    }
    try {
      comparison.take(take)
    } catch (error) {
      if (error instanceof DisagreementError) return error.message.split(' after ')[0] ?? ''
      throw error
    }
    return 'nothing'
  }

  test('nothing when both are given the same', () => {
    expect(disagreement((order) => order)).toBe('nothing')
  })

  test('one lot more, another price, another account', () => {
    expect(disagreement((order) => ({ ...order, quantity: 6 as never }))).toBe('reply')
    expect(disagreement((order) => ({ ...order, price: 301 as never, quantity: 5 as never }))).toBe('events')
    expect(disagreement((order) => ({ ...order, accountId: TRADER.cleo }))).toBe('events')
  })

  test('and reduces a failing run to what it needs', () => {
    const isUnwanted = (step: Step) => step === take
    const failsWith = (steps: readonly Step[]) => steps.some(isUnwanted)
    expect(shrink([...marketSteps(), rest, take], failsWith)).toEqual([take])
  })
})
