/**
 * A standby's copy of its node's store. Sealed fields arrive as the node has them. Keys arrive sealed under
 * the key file, of which an operator has put a copy here; without that copy none are sent.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BytesFault } from '../../../units/bytes.ts'
import { KEYS_FILE, KeyFile } from '../key-file.ts'
import { STORE_FILE, STORE_FORM } from '../schema.ts'
import { SealFault } from '../sealing.ts'
import { StoreFault } from '../sql.ts'
import { checkKeys } from '../store-copies.ts'
import { type Copied, CopyFile } from './copy-file.ts'
import { type ChangePage, readPage, writeAsked } from './page.ts'

/** A copy that is not complete yet: the previous copy is kept until it is. */
export const UNFINISHED_FILE = `${STORE_FILE}.copying`

/** Interval at which a copy is given a new date while its node's store does not change. */
const DATE_EVERY_MS = 5_000

export type StoreCopyOptions = {
  readonly directory: string
  readonly randomBytes: (size: number) => Uint8Array
  /** Makes names in a directory durable. */
  readonly syncDirectory: (directory: string) => void
}

export class StoreCopy {
  readonly #options: StoreCopyOptions
  /** The complete copy; the pages up to an end are written in one transaction. */
  #current: CopyFile | undefined
  #coming: CopyFile | undefined
  /** The position after the last page, which need not be durable. */
  #last: Copied | undefined
  #floor = 0
  #moment: Copied | undefined
  #storedMs = 0
  #keys: KeyFile | undefined
  /** Owners of deleted rows; undefined if any key may have no owner left. */
  #gone: Set<string> | undefined

  /** Throws `StoreFault`. */
  constructor(options: StoreCopyOptions) {
    this.#options = options
    this.#dropUnfinished()
    if (existsSync(this.#path(STORE_FILE))) this.#openCurrent(STORE_FORM.steps.length)
  }

  /** The time of the complete copy; undefined if there is none. */
  get moment(): Pick<Copied, 'atMs' | 'hasKeys'> | undefined {
    return this.#moment
  }

  /** The request for the next page. Throws `StoreFault`. */
  asked(): Uint8Array<ArrayBuffer> {
    const hasKeys = this.#openKeys() !== undefined
    const form = (this.#coming ?? this.#current)?.form ?? STORE_FORM.steps.length
    const last = this.#last
    // Rows that arrived without keys are sent again with them.
    const place =
      last !== undefined && (last.hasKeys || !hasKeys) ? { ...last, floor: this.#floor } : undefined
    return writeAsked({ form, place, hasKeys })
  }

  /**
   * Takes the answer. Returns true if the copy is complete and the page had nothing new. Throws `StoreFault`;
   * the next request then begins at the durable position.
   */
  take(bytes: Uint8Array): boolean {
    try {
      return this.#take(readPage(bytes))
    } catch (cause) {
      this.#giveUp()
      if (cause instanceof StoreFault) throw cause
      throw new StoreFault(this.#problemOf(cause), { cause })
    }
  }

  /** Pages that are not followed by an end are discarded. */
  interrupt(): void {
    this.#giveUp()
  }

  close(): void {
    this.#giveUp()
    this.#current?.close()
    this.#current = undefined
  }

  #take(page: ChangePage): boolean {
    const newest = STORE_FORM.steps.length
    if (page.form > newest)
      throw new StoreFault(
        `the node's customer store has version ${page.form}, but this program supports up to ${newest}: upgrade the standby`,
      )
    if (page.isAnew) this.#beginAnew(page.form)
    const file = this.#coming ?? this.#current
    if (file === undefined || (!page.isAnew && this.#last === undefined))
      throw new StoreFault('the node sent changes to a customer store of which this standby has no copy')
    const hasKeys = this.#takeKeys(page)
    const gone = file.apply(page.rows)
    for (const owner of gone) this.#gone?.add(owner)
    const { generation, number, atMs, isEnd, rows } = page
    this.#last = { generation, number, atMs, hasKeys }
    this.#floor = page.floor
    if (this.#coming !== undefined) this.#coming.commit(this.#last)
    if (!isEnd) return false
    if (this.#coming !== undefined) this.#putInPlace(this.#coming)
    else this.#commit(file, rows.length > 0)
    this.#moment = this.#last
    this.#destroyKeys()
    return rows.length === 0
  }

  /** Whether this copy has all keys that the node had for these rows and the earlier ones. */
  #takeKeys({ keys, isAnew }: ChangePage): boolean {
    if (keys.length === 0) return false
    this.#openKeys()?.takeFromNode(keys)
    return isAnew || this.#last?.hasKeys === true
  }

  /** A page without changes only advances the date of the copy. */
  #commit(file: CopyFile, hasRows: boolean): void {
    const last = this.#last
    if (last === undefined) return
    const isDue = Math.abs(last.atMs - this.#storedMs) >= DATE_EVERY_MS
    if (!hasRows && !isDue && last.hasKeys === this.#moment?.hasKeys) {
      file.rollback()
      return
    }
    file.commit(last)
    this.#storedMs = last.atMs
  }

  #beginAnew(form: number): void {
    this.#current?.rollback()
    this.#dropUnfinished()
    this.#coming = new CopyFile(this.#path(UNFINISHED_FILE), form)
    this.#coming.begin()
  }

  #putInPlace(coming: CopyFile): void {
    const { form } = coming
    coming.finish()
    coming.commit(this.#last as Copied)
    coming.close()
    this.#coming = undefined
    this.#current?.close()
    this.#current = undefined
    renameSync(this.#path(UNFINISHED_FILE), this.#path(STORE_FILE))
    this.#options.syncDirectory(this.#options.directory)
    this.#openCurrent(form)
    this.#gone = undefined
  }

  #openCurrent(form: number): void {
    this.#current = new CopyFile(this.#path(STORE_FILE), form)
    this.#last = this.#current.copied()
    this.#floor = 0
    this.#moment = this.#last
    this.#storedMs = this.#last?.atMs ?? 0
  }

  /** Undefined if no operator has put a key file here. Throws `StoreFault`. */
  #openKeys(): KeyFile | undefined {
    const file = this.#path(KEYS_FILE)
    if (!existsSync(file)) {
      this.#keys?.close()
      this.#keys = undefined
    } else if (this.#keys === undefined) {
      checkKeys(file)
      this.#keys = KeyFile.open(file, this.#options.randomBytes)
    }
    return this.#keys
  }

  /** A person who was erased at the node is unreadable here too. */
  #destroyKeys(): void {
    const [keys, current] = [this.#keys, this.#current]
    if (keys === undefined || current === undefined) return
    for (const owner of this.#gone ?? keys.owners()) if (!current.hasOwner(owner)) keys.destroy(owner)
    this.#gone = new Set()
  }

  #giveUp(): void {
    this.#dropUnfinished()
    this.#current?.rollback()
    this.#last = this.#current?.copied()
    this.#floor = 0
    this.#gone = undefined
    // An operator may put another file there.
    this.#keys?.close()
    this.#keys = undefined
  }

  #dropUnfinished(): void {
    this.#coming?.close()
    this.#coming = undefined
    for (const end of ['', '-journal']) rmSync(`${this.#path(UNFINISHED_FILE)}${end}`, { force: true })
  }

  #problemOf(cause: unknown): string {
    const problem = cause instanceof Error ? cause.message : String(cause)
    if (cause instanceof SealFault)
      return `${this.#path(KEYS_FILE)} does not belong to the node's customers: put a copy of the node's file there`
    if (cause instanceof BytesFault)
      return `the changes of the node's customer store cannot be read: ${problem}`
    return `changes of the customer store cannot be stored: ${problem}`
  }

  #path(name: string): string {
    return join(this.#options.directory, name)
  }
}
