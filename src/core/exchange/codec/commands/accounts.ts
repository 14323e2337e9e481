/** The fields of commands on accounts and fee tiers, as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { AccountId } from '../../../../units/ids.ts'
import type { Rate } from '../../../../units/quantities.ts'
import { readRestrictions, restrictionMask } from '../../../registry/optional-fields.ts'
import type { AccountCommand } from '../../commands/accounts.ts'
import type { FieldCodecs } from './fields.ts'

export const ACCOUNT_FIELDS: FieldCodecs<AccountCommand['kind']> = {
  CreateAccount: {
    write: (w, c) => w.text(c.name),
    read: (r) => ({ name: r.text() }),
  },
  SetAccountRestrictions: {
    write: (w, c) => {
      w.uint(c.accountId)
      w.u8(restrictionMask(c.restrictions))
    },
    read: (r) => ({ accountId: r.uint() as AccountId, restrictions: readRestrictions(r) }),
  },
  SetAccountTerms: {
    write: (w, c) => {
      w.uint(c.accountId)
      w.text(c.feeTier)
      w.uint(c.openOrdersMax)
    },
    read: (r) => ({ accountId: r.uint() as AccountId, feeTier: r.text(), openOrdersMax: r.uint() }),
  },
  CloseAccount: {
    write: (w, c) => w.uint(c.accountId),
    read: (r) => ({ accountId: r.uint() as AccountId }),
  },
  SetFeeTier: {
    write: (w, c) => {
      w.text(c.name)
      w.uint(c.makerShare)
      w.uint(c.takerShare)
    },
    read: (r) => ({ name: r.text(), makerShare: r.uint() as Rate, takerShare: r.uint() as Rate }),
  },
}
