/**
 * The addresses to which an account's money may be withdrawn, each with the time from which it may be used.
 * This class keeps the records and moves no money.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { KeyedRecords } from '../../units/keyed-records.ts'
import {
  TEXT_MAX,
  WITHDRAWAL_ADDRESS_MAX,
  WITHDRAWAL_ADDRESSES_MAX,
  WITHDRAWAL_ADDRESSES_PER_ACCOUNT_MAX,
  WITHDRAWAL_TAG_MAX,
} from '../../units/limits.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { checked, type ObjectOf, object, text, uint } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'

const ADDRESS_FIELDS = {
  accountId: uint<AccountId>(),
  assetId: uint<AssetId>(),
  /** 1 to `WITHDRAWAL_ADDRESS_MAX` visible ASCII characters. */
  address: text(),
  /** At most `WITHDRAWAL_TAG_MAX` of the same characters; '' if there is none. */
  tag: text(),
  label: text(),
  addedAt: uint<TimeMs>(),
  /** The time from which money may be withdrawn to the address. */
  usableAt: uint<TimeMs>(),
}

export interface WithdrawalAddress extends ObjectOf<typeof ADDRESS_FIELDS> {}

type Place = Pick<WithdrawalAddress, 'accountId' | 'assetId' | 'address' | 'tag'>

const VISIBLE = /^[\x21-\x7e]*$/

/** Whether an address and its tag are well-formed. */
export function isDestination({ address, tag }: Pick<WithdrawalAddress, 'address' | 'tag'>): boolean {
  const isLong = address.length >= 1 && address.length <= WITHDRAWAL_ADDRESS_MAX
  return isLong && tag.length <= WITHDRAWAL_TAG_MAX && VISIBLE.test(address) && VISIBLE.test(tag)
}

export const WITHDRAWAL_ADDRESS = checked(
  object(ADDRESS_FIELDS),
  (address) =>
    isDestination(address) && address.label.length <= TEXT_MAX && address.usableAt >= address.addedAt,
  ({ address }) => `address ${address} is not valid`,
)
const { write: writeAddress, read: readAddress } = byteCodec(WITHDRAWAL_ADDRESS)

/** Limits of the list: `ADDRESS_LIMITS` in the rules, lower in tests. */
export type WithdrawalAddressLimits = { readonly perAccount: number; readonly inAll: number }

export const ADDRESS_LIMITS: WithdrawalAddressLimits = {
  perAccount: WITHDRAWAL_ADDRESSES_PER_ACCOUNT_MAX,
  inAll: WITHDRAWAL_ADDRESSES_MAX,
}

export class WithdrawalAddresses {
  readonly #records: KeyedRecords<WithdrawalAddress>
  /** Keys of an account's records, oldest first. */
  readonly #keysByAccount = new Map<AccountId, Set<string>>()
  readonly #perAccount: number

  constructor({ perAccount, inAll } = ADDRESS_LIMITS) {
    this.#records = new KeyedRecords<WithdrawalAddress>(keyOf, inAll)
    this.#perAccount = perAccount
  }

  get count(): number {
    return this.#records.size
  }

  get(place: Place): WithdrawalAddress | undefined {
    return this.#records.get(keyOf(place))
  }

  /** The addresses of an account, oldest first. */
  of(accountId: AccountId): WithdrawalAddress[] {
    return [...(this.#keysByAccount.get(accountId) ?? [])].flatMap((key) => this.#records.get(key) ?? [])
  }

  /** Whether one more address of an account can be stored. */
  hasRoom(accountId: AccountId): boolean {
    const count = this.#keysByAccount.get(accountId)?.size ?? 0
    return !this.#records.isFull && count < this.#perAccount
  }

  /** Adds an address, for which there must be room, or replaces its record. */
  put(address: WithdrawalAddress): void {
    const keys = this.#keysByAccount.get(address.accountId)
    const key = keyOf(address)
    if (keys === undefined) this.#keysByAccount.set(address.accountId, new Set([key]))
    else keys.add(key)
    this.#records.put(address)
  }

  /** Returns whether there was such an address. */
  delete(place: Place): boolean {
    const key = keyOf(place)
    const keys = this.#keysByAccount.get(place.accountId)
    if (keys?.delete(key) === true && keys.size === 0) this.#keysByAccount.delete(place.accountId)
    return this.#records.delete(key)
  }

  write(w: ByteWriter): void {
    this.#records.write(w, writeAddress)
  }

  /** Fills an empty list from the output of `write`; throws `BytesFault`. */
  read(r: ByteReader): void {
    for (let left = r.uint(); left > 0; left--) {
      const address = readAddress(r)
      if (this.get(address) !== undefined || !this.hasRoom(address.accountId))
        throw new BytesFault(
          `address ${address.address} before byte ${r.at} appears twice or exceeds the limit`,
        )
      this.put(address)
    }
  }

  values(): IterableIterator<WithdrawalAddress> {
    return this.#records.values()
  }
}

/** The parts of a key contain no spaces. */
function keyOf({ accountId, assetId, address, tag }: Place): string {
  return `${accountId} ${assetId} ${address} ${tag}`
}
