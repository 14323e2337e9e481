/** The fields of commands on what operators may do, as bytes. The rules of these formats stand in `command-codec.ts`. */
import { ADMIN_RIGHTS } from '../../../../units/admin-rights.ts'
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../../../units/field-codec.ts'
import type { Amount, TimeMs } from '../../../../units/quantities.ts'
import type { RightsCommand, TokenTerms } from '../../commands/rights.ts'
import type { FieldCodecs } from './fields.ts'

export const RIGHTS_FIELDS: FieldCodecs<RightsCommand['kind']> = {
  SetRole: {
    write: (w, c) => {
      w.text(c.name)
      writeList(w, c.rights, (w, right) => writeWord(w, ADMIN_RIGHTS, right))
    },
    read: (r) => ({ name: r.text(), rights: readList(r, (r) => readWord(r, ADMIN_RIGHTS)) }),
  },
  AddToken: {
    write: (w, c) => {
      w.text(c.name)
      w.text(c.role)
      w.bytes(c.digest)
      writeTerms(w, c)
    },
    // A copy: a view of the bytes read would keep the whole batch in memory.
    read: (r) => ({ name: r.text(), role: r.text(), digest: r.bytes().slice(), ...readTerms(r) }),
  },
  SetTokenTerms: {
    write: (w, c) => {
      w.text(c.name)
      writeTerms(w, c)
    },
    read: (r) => ({ name: r.text(), ...readTerms(r) }),
  },
  SetRoleLimit: {
    write: (w, c) => {
      w.text(c.role)
      w.text(c.asset)
      for (const limit of [c.inEach, c.inDay, c.outEach, c.outDay]) w.whole(limit)
    },
    read: (r) => ({
      role: r.text(),
      asset: r.text(),
      inEach: r.whole() as Amount,
      inDay: r.whole() as Amount,
      outEach: r.whole() as Amount,
      outDay: r.whole() as Amount,
    }),
  },
  SetApprovalsNeeded: {
    write: (w, c) => {
      w.text(c.asset)
      w.uint(c.needed)
    },
    read: (r) => ({ asset: r.text(), needed: r.uint() }),
  },
}

function writeTerms(w: ByteWriter, { expiresAt, addresses }: TokenTerms): void {
  w.uint(expiresAt)
  writeList(w, addresses, (w, address) => w.text(address))
}

function readTerms(r: ByteReader): TokenTerms {
  return { expiresAt: r.uint() as TimeMs, addresses: readList(r, (r) => r.text()) }
}
