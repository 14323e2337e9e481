/**
 * Random commands on the rights of operators: everything that the format can carry, as in
 * `command.arbitraries.ts`.
 */
import * as fc from 'fast-check'
import { ADMIN_RIGHTS } from '../../units/admin-rights.ts'
import type { Amount, TimeMs } from '../../units/quantities.ts'
import type { Operator } from '../commands/operator.ts'
import type { RightsCommand } from '../commands/rights.ts'

type Parts = {
  readonly operator: fc.Arbitrary<Operator>
  readonly text: fc.Arbitrary<string>
  readonly time: fc.Arbitrary<TimeMs>
  readonly amount: fc.Arbitrary<Amount>
  readonly uint: fc.Arbitrary<number>
}

type ByKind = {
  readonly [K in RightsCommand['kind']]: fc.Arbitrary<Extract<RightsCommand, { readonly kind: K }>>
}

/** Built from the parts that other commands use too. */
export function rightsCommands({ operator, text, time, amount, uint }: Parts): ByKind {
  return {
    SetRole: fc.record({
      kind: kind('SetRole'),
      operator,
      name: text,
      rights: fc.array(fc.constantFrom(...ADMIN_RIGHTS), { maxLength: 4 }),
    }),
    AddToken: fc.record({
      kind: kind('AddToken'),
      operator,
      name: text,
      role: text,
      digest: fc.uint8Array({ maxLength: 40 }),
      expiresAt: time,
      addresses: fc.array(text, { maxLength: 3 }),
    }),
    SetTokenTerms: fc.record({
      kind: kind('SetTokenTerms'),
      operator,
      name: text,
      expiresAt: time,
      addresses: fc.array(text, { maxLength: 3 }),
    }),
    SetRoleLimit: fc.record({
      kind: kind('SetRoleLimit'),
      operator,
      role: text,
      asset: text,
      inEach: amount,
      inDay: amount,
      outEach: amount,
      outDay: amount,
    }),
    SetApprovalsNeeded: fc.record({
      kind: kind('SetApprovalsNeeded'),
      operator,
      asset: text,
      needed: uint,
    }),
  }
}

function kind<K extends string>(word: K): fc.Arbitrary<K> {
  return fc.constant(word)
}
