/** Coverage of orders that follow the price: answers to new ones, and which of them are triggered. */
import type { OpenOrder } from '../../src/core/questions/view.ts'
import { SIDES } from '../../src/units/order-enums.ts'
import type { Step } from './step.ts'

const ANSWERS = [
  'NEW',
  'INVALID_COMMAND',
  'STOP_PRICE_REACHED',
  'TOO_MANY_PRICE_LEVELS',
  'RULES_VERSION_TOO_LOW',
] as const

export function trailingCells(): string[] {
  return SIDES.flatMap((side) => [
    ...ANSWERS.map((answer) => `trailing ${side} -> ${answer}`),
    `trailing ${side} triggered, from the next trade on`,
    `trailing ${side} triggered, from a stop price on`,
  ])
}

/** The cell of a new order that is to follow the price. */
export function trailingAnswer(step: Step, answer: string): string[] {
  if (step.kind !== 'apply' || step.command.kind !== 'PlaceOrder') return []
  const { trailingDelta, side } = step.command
  return trailingDelta === undefined ? [] : [`trailing ${side} -> ${answer}`]
}

/** The cell of a triggered order that followed the price. */
export function triggeredTrailing({ stop, side }: Pick<OpenOrder, 'stop' | 'side'>): string[] {
  if (stop?.trailing === undefined) return []
  const start = stop.price === undefined ? 'the next trade' : 'a stop price'
  return [`trailing ${side} triggered, from ${start} on`]
}
