/** The second bookkeeper: follows every applied command and stops at the first violation of a rule. */
import { type Command, isWithdrawing } from '../../src/core/commands/command.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { isAdministered } from '../../test/oracle/administered.ts'
import { forgetWithdrawals } from '../../test/oracle/asked-withdrawals.ts'
import { CLOSED_TO } from '../../test/oracle/phases.ts'
import { pendingIn } from '../../test/oracle/transfers.ts'
import {
  checkAdministration,
  checkCancelOrders,
  checkEnterPhase,
  checkWithdrawing,
} from './shadow-administration.ts'
import { checkAmend } from './shadow-changes.ts'
import { isPending } from './shadow-lists.ts'
import {
  checkCancelAll,
  checkOwnCancel,
  checkSetCountdown,
  isCancelDue,
  openedBehind,
  setCancelAside,
} from './shadow-mass-cancels.ts'
import {
  checkCancel,
  checkCancelAny,
  checkCancelByClientOrderId,
  checkPlace,
  checkTrigger,
} from './shadow-orders.ts'
import { checkPlacePending, setListAside } from './shadow-pending.ts'
import { checkCancelList, checkPlaceList } from './shadow-place-list.ts'
import { checkReplace } from './shadow-replacements.ts'
import {
  checkDisconnect,
  checkDisconnectAll,
  checkEndSession,
  checkOpenSession,
  forgetAside,
  isSessionDue,
  setSessionAside,
  setSessionsAside,
} from './shadow-sessions.ts'
import { type Applied, demand, ShadowState } from './shadow-state.ts'
import { checkExpire, isAnyExpiring, setExpiryAside } from './shadow-timers.ts'
import { carriesOut, setAside } from './shadow-triggers.ts'

/** Skips numbers, so that none that was assigned on an abandoned fork of the journal is assigned again. */
function jumpNumbers(state: ShadowState): void {
  state.lastOrder += 1_000_000_000
  state.lastTrade += 1_000_000_000
}

export class Shadow {
  readonly state = new ShadowState()

  /** Takes the next command. Throws `ViolationError`. */
  take(applied: Applied): void {
    const { state } = this
    const { seq, time, command, reply, events } = applied
    demand(seq === state.seq + 1, () => `commands come one by one: expected ${state.seq + 1}, found ${seq}`)
    demand(time >= state.time, () => `time never runs backwards: ${time} after ${state.time}`)
    const before = state.time
    state.seq = seq
    state.time = time as TimeMs
    state.ids.forget(time)
    forgetWithdrawals(state, time)
    if (reply.kind === 'Refused') demand(events.length === 0, 'a refusal leaves no trace')
    if (command === undefined) {
      demand(
        reply.kind === 'Refused' && reply.reason === 'INTERNAL_ERROR',
        'a quarantined command is refused',
      )
      if (applied.own?.kind === 'TriggerOrder') setAside(state, applied.own)
      if (applied.own?.kind === 'ExpireOrder') setExpiryAside(state, applied.own)
      if (applied.own?.kind === 'PlacePending') setListAside(state, applied.own)
      if (applied.own?.kind === 'ContinueCancelAll' || applied.own?.kind === 'FireCountdown')
        setCancelAside(state, applied.own)
      if (applied.own?.kind === 'EnterPhase') state.phases.announce(time)
      if (applied.own?.kind === 'BeginEpoch') jumpNumbers(state)
      if (applied.own?.kind === 'EndSession') setSessionAside(state, applied.own)
      if (applied.own?.kind === 'DisconnectSessions') setSessionsAside(state)
      forgetAside(state)
      return
    }
    const { lastOrder } = state
    if (command.kind === 'DisconnectSessions') checkDisconnectAll(state, applied, before)
    else this.#check(applied, command)
    forgetAside(state)
    for (const order of state.orders.values()) if (order.number > lastOrder) openedBehind(state, order)
  }

  #check(applied: Applied, command: Command): void {
    const { state } = this
    const { reply } = applied
    if (state.phases.at(state.time) === 'CLOSED' && CLOSED_TO.includes(command.kind)) {
      const isClosed = reply.kind === 'Refused' && reply.reason === 'EXCHANGE_CLOSED'
      demand(isClosed, () => `${command.kind} is to be refused while the exchange is closed`)
    } else if (isAdministered(command)) checkAdministration(state, applied, command)
    else if (isWithdrawing(command)) checkWithdrawing(state, applied, command)
    else if (command.kind === 'PlaceOrder') checkPlace(state, applied, command)
    else if (command.kind === 'CancelOrder') checkCancel(state, applied, command)
    else if (command.kind === 'CancelClientOrder') checkCancelByClientOrderId(state, applied, command)
    else if (command.kind === 'MarkTime') demand(reply.kind === 'Done', 'the time is marked')
    else if (command.kind === 'TriggerOrder') checkTrigger(state, applied, command)
    else if (command.kind === 'AmendOrder') checkAmend(state, applied, command)
    else if (command.kind === 'ExpireOrder') checkExpire(state, applied, command)
    else if (command.kind === 'ReplaceOrder') checkReplace(state, applied, command)
    else if (command.kind === 'CancelAllOrders') checkCancelAll(state, applied, command)
    else if (command.kind === 'SetCountdown') checkSetCountdown(state, applied, command)
    else if (command.kind === 'ContinueCancelAll' || command.kind === 'FireCountdown')
      checkOwnCancel(state, applied, command)
    else if (command.kind === 'OpenSession') checkOpenSession(state, applied, command)
    else if (command.kind === 'DisconnectSession') checkDisconnect(state, applied, command)
    else if (command.kind === 'EnterPhase') checkEnterPhase(state, applied)
    else if (command.kind === 'BeginEpoch') {
      demand(reply.kind === 'Done', 'an epoch begins')
      jumpNumbers(state)
    } else if (command.kind === 'EndSession') checkEndSession(state, applied, command)
    else if (command.kind === 'PlaceList') checkPlaceList(state, applied, command)
    else if (command.kind === 'CancelList' || command.kind === 'CancelClientList')
      checkCancelList(state, applied, command)
    else if (command.kind === 'PlacePending') checkPlacePending(state, applied, command)
    else if (command.kind === 'CancelOrders') checkCancelOrders(state, applied, command)
    else if (command.kind === 'CancelAnyOrder') checkCancelAny(state, applied, command)
    else demand(false, () => `no client of a run gives ${command.kind}`)
  }

  /** Whether the engine still has something to carry out by itself. */
  get isDue(): boolean {
    const { state } = this
    const isAnyTriggered = [...state.due, ...state.dueLists].some(({ symbol }) =>
      carriesOut(state, symbol.id),
    )
    return (
      state.phases.isDue(state.time) ||
      isAnyTriggered ||
      isAnyExpiring(state) ||
      isCancelDue(state) ||
      isSessionDue(state)
    )
  }

  /**
   * Checks that every asset sums to zero over all accounts; `locked` equals the holds of open orders;
   * withdrawals wait in `freeze`.
   */
  audit(): void {
    const { state } = this
    const holds = new Map<string, bigint>()
    for (const order of state.orders.values()) {
      const asset = order.side === 'BUY' ? order.symbol.quote : order.symbol.base
      demand(!isPending(order) || order.hold === 0n, () => `pending order ${order.number} holds nothing`)
      const key = `${asset} ${order.account}`
      holds.set(key, (holds.get(key) ?? 0n) + order.hold)
    }
    for (const { id: asset, code } of state.assets) {
      let sum = 0n
      for (const [account, buckets] of state.holdings(asset)) {
        sum += buckets.free + buckets.locked + buckets.freeze + buckets.savings
        const hold = holds.get(`${asset} ${account}`) ?? 0n
        demand(
          buckets.locked === hold,
          () => `${code} of account ${account}: ${buckets.locked} locked, orders hold ${hold}`,
        )
        const waiting = pendingIn(state, account as AccountId, asset)
        demand(
          buckets.freeze >= waiting,
          () => `${code} of account ${account}: ${buckets.freeze} in freeze, withdrawals hold ${waiting}`,
        )
      }
      demand(sum === 0n, () => `${code} sums to zero, found ${sum}`)
    }
  }
}
