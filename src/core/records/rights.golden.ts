/**
 * Commands on the rights of operators with their bytes; `command.golden.ts` has all others. They are never
 * edited.
 */
import { amount, timeMs } from '../../units/quantities.ts'
import type { Command } from '../commands/command.ts'

const operator = { actor: 'ayşe', note: 'ticket 7' }

export const GOLDEN_RIGHTS: readonly (readonly [command: Command, hex: string])[] = [
  [
    { kind: 'SetRole', operator, name: 'desk', rights: ['credit', 'approve'] },
    '45056179c59f65087469636b65742037046465736b02080d',
  ],
  [
    {
      kind: 'AddToken',
      operator,
      name: 'dora',
      role: 'desk',
      digest: Uint8Array.of(1, 2),
      expiresAt: timeMs(1_767_225_600_000),
      addresses: ['10.0.0.0/8'],
    },
    '46056179c59f65087469636b6574203704646f7261046465736b02010280d0eab6b733010a31302e302e302e302f38',
  ],
  [
    { kind: 'SetTokenTerms', operator, name: 'dora', expiresAt: timeMs(0), addresses: [] },
    '47056179c59f65087469636b6574203704646f72610000',
  ],
  [
    {
      kind: 'SetRoleLimit',
      operator,
      role: 'desk',
      asset: 'BTC',
      inEach: amount(1n),
      inDay: amount(2n ** 62n),
      outEach: amount(0n),
      outDay: amount(300n),
    },
    '48056179c59f65087469636b65742037046465736b03425443028080808080808080800100d804',
  ],
  [
    { kind: 'SetApprovalsNeeded', operator, asset: 'BTC', needed: 2 },
    '49056179c59f65087469636b657420370342544302',
  ],
]
