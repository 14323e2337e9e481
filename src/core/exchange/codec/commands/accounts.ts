/** The fields of commands on accounts and fee tiers, as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { AccountId } from '../../../../units/ids.ts'
import type { Rate } from '../../../../units/quantities.ts'
import { readProfile, writeProfile } from '../../../registry/account-profile.ts'
import { readRestrictions, restrictionMask } from '../../../registry/optional-fields.ts'
import { readTerms, writeTerms } from '../../../registry/special-terms.ts'
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
  SetAccountProfile: {
    write: (w, c) => {
      w.uint(c.accountId)
      writeProfile(w, c)
    },
    read: (r) => ({ accountId: r.uint() as AccountId, ...readProfile(r) }),
  },
  SetSpecialTerms: {
    write: (w, c) => {
      w.uint(c.accountId)
      writeTerms(w, c)
    },
    read: (r) => ({ accountId: r.uint() as AccountId, ...readTerms(r) }),
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
