/**
 * Every machine of a run under observation: the engine's after each start, and the follower's. All of them
 * must reach the same answers, events and states, and every value read from one must equal the second
 * bookkeeper's record.
 */

import { type EngineCommand, isEngines } from '../../src/core/commands/command.ts'
import type { Balance, OpenOrder } from '../../src/core/questions/view.ts'
import { type Batch, hexOf, lastSeqOf } from '../../src/engine/port/journal.ts'
import type { StateMachine, StateMachineFactory } from '../../src/engine/port/state-machine.ts'
import { replayBatch } from '../../src/engine/writer/recovery/replay.ts'
import { sha256 } from '../../src/storage/sha256.ts'
import type { Seq } from '../../src/units/quantities.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { changedFactory, observed } from '../node/observed-machine.ts'
import { ViolationError } from '../world/trace.ts'
import type { AppliedCommands } from './applied-commands.ts'
import { isPending, roleOf } from './shadow-lists.ts'
import { demand, halfUp } from './shadow-state.ts'

/** `observer`: runs beside the node and must never be ahead of it. */
export type Replica = 'engine' | 'follower' | 'observer'

/** Client reference of orders that crash the machine which applies them. */
export const POISON = 'poison'
/**
 * While there are faults, carrying out a waiting order crashes the machine if the order's number is divisible
 * by this.
 */
const POISON_EVERY = 7

export class Replicas {
  readonly #applied: AppliedCommands
  readonly #factoryOf: (who: Replica) => StateMachineFactory
  readonly #onViolation: (violation: ViolationError) => void
  readonly #breaksTriggers: () => boolean
  readonly #stateHashBySeq = new Map<number, string>()
  /** Positions of engine commands that crashed a machine: they crash every machine. */
  readonly #breaking = new Set<number>()

  /**
   * `breaksTriggers` returns whether carrying out some orders crashes the machine now. A violation is
   * reported to `onViolation`, because a node would treat the exception as a bug of its machine.
   */
  constructor(
    applied: AppliedCommands,
    factoryOf: (who: Replica) => StateMachineFactory,
    onViolation: (violation: ViolationError) => void,
    breaksTriggers: () => boolean,
  ) {
    this.#breaksTriggers = breaksTriggers
    this.#applied = applied
    this.#factoryOf = factoryOf
    this.#onViolation = onViolation
  }

  readonly #breaksOn = (seq: number, own: EngineCommand): boolean => {
    // The commands of a mass cancel name no order; their sequence number is used.
    const number = own.kind === 'PlacePending' ? own.listNumber : (own.orderNumber ?? seq)
    if (number % POISON_EVERY === 0 && this.#breaksTriggers()) this.#breaking.add(seq)
    return this.#breaking.has(seq)
  }

  /** Observed machines for one replica. */
  machines(who: Replica): StateMachineFactory {
    return changedFactory(this.#factoryOf(who), (machine) =>
      this.#watched(who, fragile(machine, this.#breaksOn)),
    )
  }

  /** Called when a node started at command `seq`. */
  checkStarted(seq: Seq): void {
    demand(
      seq === this.#applied.length,
      () => `${this.#applied.length} commands were applied, the node is at ${seq}`,
    )
  }

  /**
   * Checks that the last batches of a journal equal the applied commands, and that no applied command is
   * missing.
   */
  checkStored(batches: readonly Batch[]): void {
    this.#applied.checkStored(batches)
  }

  /** Called when an operator accepted the loss of everything after `seq`. */
  forget(seq: number): void {
    this.#applied.forget(seq)
    for (const known of this.#breaking) if (known > seq) this.#breaking.delete(known)
    for (const known of this.#stateHashBySeq.keys()) if (known > seq) this.#stateHashBySeq.delete(known)
  }

  /** Replays a journal from its first command: every state that a replica ever saved must be reproduced. */
  checkFullReplay(batches: readonly Batch[], quarantined: ReadonlySet<Seq>): string {
    const machine = this.machines('engine').empty()
    for (const batch of batches) {
      replayBatch(machine, batch, quarantined, () => {})
      if (this.#stateHashBySeq.has(lastSeqOf(batch))) machine.encodeSnapshot()
    }
    return hashOf(machine.encodeSnapshot())
  }

  #watched(who: Replica, machine: StateMachine): StateMachine {
    const { state } = { state: () => this.#applied.shadow.state }
    return observed(machine, {
      applied: (...applied) => this.#guard(() => this.#applied.applied(who, ...applied)),
      encoded: (seq, payload) => this.#guard(() => this.#compareState(who, seq, hashOf(payload))),
      readOrders: (seq, { accountId, symbolId, after }, { orders, next }) =>
        this.#guard(() => {
          if (seq !== state().seq) return
          const all = state().openOrders(accountId, symbolId)
          const left = all.filter(({ number }) => after === undefined || number < after.before)
          checkOrders(orders, next === undefined ? left : left.slice(0, orders.length))
        }),
      readBalances: (seq, accountId, balances) =>
        this.#guard(() => {
          if (seq !== state().seq) return
          for (const balance of balances) {
            const isKnown = state().accounts[accountId] !== undefined
            checkBalance(accountId, balance, isKnown ? state().buckets(balance.assetId, accountId) : NOTHING)
          }
        }),
    })
  }

  #compareState(who: Replica, seq: number, hash: string): void {
    const known = this.#stateHashBySeq.get(seq)
    this.#stateHashBySeq.set(seq, hash)
    demand(
      known === undefined || known === hash,
      () => `after command ${seq} the ${who} has state ${hash}, another one ${known}`,
    )
  }

  #guard(check: () => void): void {
    try {
      check()
    } catch (error) {
      if (!(error instanceof ViolationError)) throw error
      this.#onViolation(error)
    }
  }
}

const NOTHING = { free: 0n, locked: 0n, freeze: 0n, savings: 0n }

function checkOrders(
  orders: readonly OpenOrder[],
  expected: ReturnType<AppliedCommands['shadow']['state']['openOrders']>,
): void {
  const found = orders.map(
    (o) =>
      `${o.orderNumber} ${o.keyNumber} ${o.side} ${o.price} ${o.remaining} ${o.executedQuantity} ${o.executedNotional} ${o.commission} ` +
      `${o.type} ${o.timeInForce} ${o.selfTradeMode} ${o.updatedAt} ` +
      `${o.stop?.price} ${o.stop?.trailing?.delta} ${o.stop?.trailing?.since} ` +
      `${o.stop?.total} ${o.stop?.triggeredAt} ${o.clientOrderId} ${o.icebergQuantity} ${o.expireTime} ` +
      `${o.inList?.listNumber} ${o.inList?.role} ${o.isPending}`,
  )
  const known = expected.map(
    (o) =>
      `${o.number} ${o.key} ${o.side} ${o.price} ${o.remaining} ${o.executed} ${o.notional} ${halfUp(o.commission)} ${o.words} ${o.updatedAt} ` +
      `${o.stop?.price} ${o.stop?.trailing?.delta} ${o.stop?.trailing?.since} ` +
      `${o.stop?.total} ${o.stop?.triggeredAt} ${o.clientOrderId} ${o.part} ${o.expireTime} ` +
      `${o.list?.number} ${roleOf(o)} ${isPending(o)}`,
  )
  demand(found.join() === known.join(), () => `open orders: expected ${known.join()}, found ${found.join()}`)
}

function checkBalance(account: number, found: Balance, known: typeof NOTHING): void {
  for (const bucket of ['free', 'locked', 'freeze', 'savings'] as const) {
    demand(
      bigintOf(found[bucket]) === known[bucket],
      () =>
        `account ${account}, asset ${found.assetId}, ${bucket}: expected ${known[bucket]}, found ${found[bucket]}`,
    )
  }
}

function fragile(
  machine: StateMachine,
  breaksOn: (seq: number, own: EngineCommand) => boolean,
): StateMachine {
  const apply = machine.apply.bind(machine)
  machine.apply = (command, time, emit) => {
    if (command.kind === 'PlaceOrder' && command.clientOrderId?.startsWith(POISON) === true) {
      throw new Error('this order breaks the machine')
    }
    if (isEngines(command) && breaksOn(machine.seq + 1, command)) {
      throw new Error('carrying out this order breaks the machine')
    }
    return apply(command, time, emit)
  }
  return machine
}

function hashOf(payload: Uint8Array): string {
  return hexOf(sha256([payload]))
}
