/**
 * Numbers of orders and trades where an epoch of the journal begins
 * (docs/recovery.md#numbers-of-orders-and-trades). Numbers assigned by lost commands are never assigned
 * again.
 */
import { NUMBERS_JUMP, NUMBERS_JUMP_TO_MAX } from '../../units/limits.ts'
import type { BeginEpoch } from '../commands/command.ts'
import { DONE, type Done } from '../questions/reply.ts'
import type { ExchangeState } from './state.ts'

/** Numbers continue `NUMBERS_JUMP` higher, each time that the command is carried out. */
export function beginEpoch(state: ExchangeState, { epoch }: Pick<BeginEpoch, 'epoch'>): Done {
  state.epoch = Math.max(state.epoch, epoch)
  state.nextOrder = jumped(state.nextOrder)
  state.nextTrade = jumped(state.nextTrade)
  return DONE
}

function jumped(number: number): number {
  return number + NUMBERS_JUMP <= NUMBERS_JUMP_TO_MAX ? number + NUMBERS_JUMP : number
}
