/** Bugs in the commands that the exchange issues by itself: triggers, timers, lists. */
import type { EngineCommand } from '../../src/core/commands/command.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import { DONE } from '../../src/core/questions/reply.ts'
import { timeMs } from '../../src/units/quantities.ts'
import type { TrailingDelta } from '../../src/units/trailing-delta.ts'
import { type Canary, changeDue, withCommands, withMachine, withRestored } from './canary.ts'
import type { CanaryTest } from './canary-test.ts'

export const OWN_COMMAND_BUGS = {
  'pending-placed-twice': {
    rule: 'the pending orders of a list are placed once',
    seeds: 30,
    canary: withMachine((machine) =>
      changeDue(machine, (due) =>
        due.flatMap((own): EngineCommand[] => (own.kind === 'PlacePending' ? [own, own] : [own])),
      ),
    ),
  },
  'pending-forgotten-at-start': {
    rule: 'a list that was due before a restart is carried out after it',
    scenario: 'lists',
    canary: forgotten('PlacePending'),
  },
  'partner-stays': {
    rule: 'where something happens to one of an OCO pair the other ends',
    seeds: 20,
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      const isHeard = (event: ExchangeEvent) => event.kind !== 'OrderCanceled' || event.cause !== 'LIST'
      machine.apply = (command, time, emit) =>
        apply(command, time, (event) => {
          if (isHeard(event)) emit(event)
        })
    }),
  },
  'trigger-forgotten-at-start': {
    rule: 'an order that was due before a restart is carried out after it',
    scenario: 'triggers',
    canary: forgotten('TriggerOrder'),
  },
  'trailing-forgotten-at-start': {
    rule: 'an order that follows the price is triggered when the price comes back, also over a restart',
    scenario: 'trailing',
    canary: forgotten('TriggerOrder'),
  },
  'trailing-at-another-distance': {
    rule: 'an order follows the price at its own distance',
    seeds: 20,
    canary: withCommands((command) =>
      command.kind === 'PlaceOrder' && command.trailingDelta === 20
        ? { ...command, trailingDelta: 10 as TrailingDelta }
        : command,
    ),
  },
  'trailing-before-its-stop-price': {
    rule: 'an order with a stop price follows the price from that price on',
    seeds: 20,
    canary: withCommands((command) =>
      command.kind === 'PlaceOrder' && command.trailingDelta !== undefined
        ? { ...command, stopPrice: undefined }
        : command,
    ),
  },
  'countdown-forgotten-at-start': {
    rule: 'a countdown ends although the exchange was restarted',
    scenario: 'timers',
    canary: forgotten('FireCountdown'),
  },
  'mass-cancel-takes-later-orders': {
    rule: 'what is placed behind a mass cancel stays',
    scenario: 'timers',
    canary: withMachine((machine) => {
      const apply = machine.apply.bind(machine)
      machine.apply = (command, time, emit) => {
        if (command.kind !== 'ContinueCancelAll') return apply(command, time, emit)
        apply({ ...command, kind: 'CancelAllOrders', symbolId: undefined }, time, emit)
        return DONE
      }
    }),
  },
  'expires-early': {
    rule: 'no order ends before its time',
    seeds: 20,
    canary: withMachine((machine) => {
      const due = machine.due.bind(machine)
      machine.due = (max, time) => due(max, timeMs(time + 100))
    }),
  },
} as const satisfies Readonly<Record<string, CanaryTest>>

/** A machine that starts from a snapshot never requests any of these commands. */
function forgotten(kind: EngineCommand['kind']): Canary {
  return withRestored((machine) => changeDue(machine, (due) => due.filter((own) => own.kind !== kind)))
}
