/** The fields of commands on API keys, as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../../../units/field-codec.ts'
import type { AccountId } from '../../../../units/ids.ts'
import { PERMISSIONS, type Permission } from '../../../../units/order-words.ts'
import type { TimeMs } from '../../../../units/quantities.ts'
import type { KeyCommand } from '../../commands/keys.ts'
import type { FieldCodecs } from './fields.ts'

export const KEY_FIELDS: FieldCodecs<KeyCommand['kind']> = {
  CreateApiKey: {
    write: (w, c) => {
      w.uint(c.accountId)
      w.text(c.apiKey)
      w.bytes(c.sealedSecret)
      writeUse(w, c)
    },
    read: (r) => ({
      accountId: r.uint() as AccountId,
      apiKey: r.text(),
      sealedSecret: readSealed(r),
      ...readUse(r),
    }),
  },
  SetApiKeyEnabled: {
    write: (w, c) => {
      w.text(c.apiKey)
      w.bool(c.enabled)
    },
    read: (r) => ({ apiKey: r.text(), enabled: r.bool() }),
  },
  SetApiKeyTerms: {
    write: (w, c) => {
      w.text(c.apiKey)
      writeUse(w, c)
      w.uint(c.expiresAt)
    },
    read: (r) => ({ apiKey: r.text(), ...readUse(r), expiresAt: r.uint() as TimeMs }),
  },
  SetApiKeyStrict: {
    write: (w, c) => {
      w.text(c.apiKey)
      w.bool(c.strictSignature)
    },
    read: (r) => ({ apiKey: r.text(), strictSignature: r.bool() }),
  },
  RotateApiKey: {
    write: (w, c) => {
      w.text(c.apiKey)
      w.bytes(c.sealedSecret)
      w.uint(c.previousUntil)
    },
    read: (r) => ({ apiKey: r.text(), sealedSecret: readSealed(r), previousUntil: r.uint() as TimeMs }),
  },
  RevokeApiKey: {
    write: (w, c) => w.text(c.apiKey),
    read: (r) => ({ apiKey: r.text() }),
  },
  ResealSecret: {
    write: (w, c) => {
      w.text(c.apiKey)
      w.bytes(c.from)
      w.bytes(c.to)
    },
    read: (r) => ({ apiKey: r.text(), from: readSealed(r), to: readSealed(r) }),
  },
}

/** What a key may be used for, where from, and what its owner calls it. */
type Use = {
  readonly permissions: readonly Permission[]
  readonly addresses: readonly string[]
  readonly label: string
}

function writeUse(w: ByteWriter, { permissions, addresses, label }: Use): void {
  writeList(w, permissions, (w, permission) => writeWord(w, PERMISSIONS, permission))
  writeList(w, addresses, (w, address) => w.text(address))
  w.text(label)
}

function readUse(r: ByteReader): Use {
  return {
    permissions: readList(r, (r) => readWord(r, PERMISSIONS)),
    addresses: readList(r, (r) => r.text()),
    label: r.text(),
  }
}

/** A copy: the state keeps it, and a view would keep the whole batch in memory with it. */
function readSealed(r: ByteReader): Uint8Array {
  return r.bytes().slice()
}
