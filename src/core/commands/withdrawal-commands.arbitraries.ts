/** Random commands on withdrawals requested by traders, from the same arbitraries as all other commands. */
import * as fc from 'fast-check'
import type { AccountId } from '../../units/ids.ts'
import { WITHDRAWAL_STEPS } from '../../units/operator-enums.ts'
import type { Amount } from '../../units/quantities.ts'
import type { CommandOf } from './command.ts'
import type { Operator } from './operator.ts'
import type { WithdrawalCommand, WithdrawalRequestCommand } from './withdrawals.ts'

type Parts = {
  readonly accountId: fc.Arbitrary<AccountId>
  readonly amount: fc.Arbitrary<Amount>
  readonly operator: fc.Arbitrary<Operator>
  readonly text: fc.Arbitrary<string>
  readonly uint: fc.Arbitrary<number>
}

type Kind = WithdrawalCommand['kind'] | WithdrawalRequestCommand['kind']

export function withdrawalCommands({ accountId, amount, operator, text, uint }: Parts): {
  readonly [K in Kind]: fc.Arbitrary<CommandOf<K>>
} {
  const addressChange = {
    accountId,
    asset: text,
    address: text,
    tag: text,
    isAllowed: fc.boolean(),
    label: text,
  }
  return {
    AskWithdrawal: fc.record({
      kind: fc.constant('AskWithdrawal' as const),
      accountId,
      asset: text,
      amount,
      address: text,
      tag: text,
      withdrawOrderId: fc.option(text, { nil: undefined }),
    }),
    RetractWithdrawal: fc.record({
      kind: fc.constant('RetractWithdrawal' as const),
      accountId,
      name: fc.oneof(
        fc.record({ kind: fc.constant('ID' as const), reference: text }),
        fc.record({ kind: fc.constant('OWN' as const), withdrawOrderId: text }),
      ),
    }),
    SetOwnAddress: fc.record({ kind: fc.constant('SetOwnAddress' as const), ...addressChange }),
    SetAccountAddress: fc.record({
      kind: fc.constant('SetAccountAddress' as const),
      operator,
      ...addressChange,
      isAtOnce: fc.boolean(),
    }),
    SetWithdrawalTerms: fc.record({
      kind: fc.constant('SetWithdrawalTerms' as const),
      operator,
      code: text,
      withdrawMin: amount,
      withdrawMax: amount,
      addressDelayMs: uint,
    }),
    HandleWithdrawal: fc.record({
      kind: fc.constant('HandleWithdrawal' as const),
      operator,
      reference: text,
      step: fc.constantFrom(...WITHDRAWAL_STEPS),
      reason: text,
    }),
  }
}
