/** The fields of commands on tokens, approvals, bans and the clock, as bytes. The rules of these formats stand in `command-codec.ts`. */
import { readWord, writeWord } from '../../../../units/field-codec.ts'
import { ADMIN_ROLES } from '../../../../units/operator-words.ts'
import type { TimeMs } from '../../../../units/quantities.ts'
import type { SafetyCommand } from '../../commands/safety.ts'
import type { FieldCodec, FieldCodecs } from './fields.ts'

const answer = {
  write: (w, c) => w.text(c.reference),
  read: (r) => ({ reference: r.text() }),
} satisfies FieldCodec<'Approve' | 'Reject'>

export const SAFETY_FIELDS: FieldCodecs<SafetyCommand['kind']> = {
  AddAdminToken: {
    write: (w, c) => {
      w.text(c.name)
      writeWord(w, ADMIN_ROLES, c.role)
      w.bytes(c.digest)
    },
    // A copy: a view of the bytes read would keep the whole batch in memory.
    read: (r) => ({ name: r.text(), role: readWord(r, ADMIN_ROLES), digest: r.bytes().slice() }),
  },
  RevokeAdminToken: {
    write: (w, c) => w.text(c.name),
    read: (r) => ({ name: r.text() }),
  },
  Approve: answer,
  Reject: answer,
  BanAddress: {
    write: (w, c) => {
      w.text(c.address)
      w.uint(c.until)
    },
    read: (r) => ({ address: r.text(), until: r.uint() as TimeMs }),
  },
  LiftBan: {
    write: (w, c) => w.text(c.address),
    read: (r) => ({ address: r.text() }),
  },
  AcceptClock: {
    write: (w, c) => w.uint(c.clock),
    read: (r) => ({ clock: r.uint() as TimeMs }),
  },
  NoteChange: {
    write: (w, c) => {
      w.text(c.subject)
      w.text(c.change)
    },
    read: (r) => ({ subject: r.text(), change: r.text() }),
  },
}
