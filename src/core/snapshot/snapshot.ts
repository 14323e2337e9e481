/**
 * The whole state, written as bytes and read back. Equal states give equal bytes, so that the hash of a
 * snapshot is the hash of the state (docs/decisions/0023-stored-formats.md).
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { isClientOrderId } from '../../units/client-order-id.ts'
import type { ListNumber } from '../../units/ids.ts'
import { seq, timeMs } from '../../units/quantities.ts'
import { auditHolds } from '../exchange/audit.ts'
import { FIRST_RULES_VERSION, RULES_VERSION } from '../exchange/rules.ts'
import { ExchangeState, type StateOptions, type StateParts } from '../exchange/state.ts'
import { Ledger } from '../ledger/ledger.ts'
import { References } from '../ledger/references.ts'
import { writeHandling } from '../records/handling-codec.ts'
import { Registry } from '../registry/registry.ts'
import { CARRIED_NAMES } from '../trading/carried.ts'
import { accountOf, type Identified, placedOrder, placementOf } from '../trading/identified-order.ts'
import { endSections, type Section, SectionReader, type StatePart, writeSection } from './sections.ts'
import { readAmendments, writeAmendments } from './snapshot-amendments.ts'
import { carriedPart } from './snapshot-carried.ts'
import { hasNoneDated, readDue, writeDue } from './snapshot-due.ts'
import { readHandlings } from './snapshot-handlings.ts'
import { readIcebergs, writeIcebergs } from './snapshot-icebergs.ts'
import { readLists, writeLists } from './snapshot-lists.ts'
import { hasNoTradeCounts, readEpoch, readTradeCounts, writeTradeCounts } from './snapshot-numbers.ts'
import {
  checkPlaces,
  readBooks,
  readOrders,
  readTerms,
  writeBooks,
  writeOrders,
  writeTerms,
} from './snapshot-orders.ts'
import { readPhaseSection, writePhaseSection } from './snapshot-phases.ts'
import { readRights, writeRights } from './snapshot-rights.ts'
import { readSessions, writeSessions } from './snapshot-sessions.ts'
import {
  checkExpiries,
  hasNoCancels,
  readCancels,
  readExpiries,
  writeCancels,
  writeExpiries,
} from './snapshot-timers.ts'
import { hasNoTrailing, readTrailing, writeTrailing } from './snapshot-trailing.ts'
import { checkTriggers, hasNoTriggers, readTriggers, writeTriggers } from './snapshot-triggers.ts'
import { readWithdrawals, writeWithdrawals } from './snapshot-withdrawals.ts'

/**
 * The number of this layout of sections. A snapshot with another layout is not read; the state is built again
 * from the journal.
 */
const LAYOUT = 3

const section = (number: number, name: string): Section => ({ number, name })

/** A section's number is never reused for anything else. */
const SECTIONS = {
  position: section(1, 'the position'),
  accounts: section(2, 'accounts'),
  assets: section(3, 'assets'),
  symbols: section(4, 'symbols'),
  apiKeys: section(5, 'API keys'),
  balances: section(6, 'balances'),
  references: section(7, 'references'),
  orders: section(8, 'open orders'),
  books: section(9, 'books'),
  feeTiers: section(10, 'fee tiers'),
  tokens: section(11, 'tokens'),
  bans: section(12, 'bans'),
  withdrawals: section(13, 'withdrawals'),
  approvals: section(14, 'approvals'),
  terms: section(15, 'the terms of open orders'),
  clientOrderIds: section(16, 'client order ids'),
  triggers: section(17, 'orders that wait for a price'),
} as const

/** The sections from amended orders on, except those of carried fields. */
const LATER: readonly StatePart[] = [
  {
    ...section(18, 'amended orders'),
    isEmpty: ({ orders }) => orders.hasNoAmended,
    write: (w, { orders }) => writeAmendments(w, orders),
    read: readAmendments,
  },
  {
    ...section(19, 'expiry times of orders'),
    isEmpty: ({ expiries }) => expiries.count === 0,
    write: writeExpiries,
    read: readExpiries,
  },
  {
    ...section(20, 'countdowns and mass cancels'),
    isEmpty: hasNoCancels,
    write: writeCancels,
    read: readCancels,
  },
  {
    ...section(21, 'hidden quantities'),
    isEmpty: ({ orders }) => !orders.hasIcebergs,
    write: writeIcebergs,
    read: readIcebergs,
  },
  {
    ...section(22, 'order lists'),
    isEmpty: ({ lists }) => lists.count === 0,
    write: writeLists,
    read: readLists,
  },
  {
    ...section(23, 'sessions'),
    isEmpty: ({ sessions }) => sessions.count === 0,
    write: writeSessions,
    read: readSessions,
  },
  {
    ...section(24, 'the phases of the exchange'),
    isEmpty: ({ phases }) => phases.isUnused,
    write: writePhaseSection,
    read: readPhaseSection,
  },
  {
    ...section(25, 'withdrawals requested by traders'),
    isEmpty: ({ withdrawalRequests }) => withdrawalRequests.isEmpty,
    write: writeWithdrawals,
    read: readWithdrawals,
  },
  {
    ...section(26, 'the rights of operators'),
    isEmpty: ({ backOffice }) => !backOffice.hasRights,
    write: writeRights,
    read: readRights,
  },
  {
    ...section(27, 'claims of withdrawals'),
    isEmpty: ({ backOffice }) => backOffice.handlings.size === 0,
    write: (w, { backOffice }) => backOffice.handlings.write(w, writeHandling),
    read: readHandlings,
  },
  {
    ...section(28, 'due times'),
    isEmpty: hasNoneDated,
    write: writeDue,
    read: readDue,
  },
  {
    ...section(29, 'orders that follow the price'),
    isEmpty: hasNoTrailing,
    write: writeTrailing,
    read: readTrailing,
  },
  {
    ...section(31, 'epoch of numbers'),
    isEmpty: ({ epoch }) => epoch === 0,
    write: (w, { epoch }) => w.uint(epoch),
    read: readEpoch,
  },
  {
    ...section(32, 'trade numbers of symbols'),
    isEmpty: hasNoTradeCounts,
    write: writeTradeCounts,
    read: readTradeCounts,
  },
]

const PARTS = [...LATER, ...CARRIED_NAMES.map(carriedPart)].sort((a, b) => a.number - b.number)

export function writeState(w: ByteWriter, state: ExchangeState): void {
  const { registry, references, orders } = state
  w.uint(LAYOUT)
  writeSection(w, SECTIONS.position, false, () => writePosition(w, state))
  for (const part of registry.parts) {
    writeSection(w, SECTIONS[part.name], part.isEmpty(), () => part.write(w))
  }
  writeSection(w, SECTIONS.balances, false, () => state.ledger.write(w))
  writeSection(w, SECTIONS.references, references.count === 0, () => references.write(w))
  writeSection(w, SECTIONS.orders, orders.size === 0, () => writeOrders(w, orders))
  writeSection(w, SECTIONS.books, isUnused(state), () => writeBooks(w, state))
  for (const part of state.backOffice.parts) {
    writeSection(w, SECTIONS[part.name], part.isEmpty(), () => part.write(w))
  }
  writeSection(w, SECTIONS.terms, orders.describedCount() === 0, () => writeTerms(w, orders))
  const { clientOrderIds } = state
  writeSection(w, SECTIONS.clientOrderIds, clientOrderIds.count === 0, () => clientOrderIds.write(w))
  writeSection(w, SECTIONS.triggers, hasNoTriggers(state), () => writeTriggers(w, state))
  for (const part of PARTS) writeSection(w, part, part.isEmpty(state), () => part.write(w, state))
  endSections(w)
}

/** Throws `BytesFault` for bytes that are not a state, or not one that an exchange can have. */
export function readState(r: ByteReader, options: StateOptions): ExchangeState {
  const layout = r.uint()
  if (layout !== LAYOUT) throw new BytesFault(`snapshot layout ${layout}, expected ${LAYOUT}`)
  const sections = new SectionReader(r)
  const parts = readParts(sections, options)
  checkCounts(parts)
  const state = new ExchangeState(parts, options)
  const listIds: ListId[] = []
  sections.read(
    SECTIONS.orders,
    (r) => readOrders(r, state),
    () => state.orders.size === 0,
  )
  sections.read(
    SECTIONS.books,
    (r) => readBooks(r, state),
    () => isUnused(state),
  )
  for (const part of state.backOffice.parts) sections.read(SECTIONS[part.name], part.read, part.isEmpty)
  sections.read(
    SECTIONS.terms,
    (r) => readTerms(r, state),
    () => state.orders.describedCount() === 0,
  )
  sections.read(
    SECTIONS.clientOrderIds,
    (r) => listIds.push(...readClientOrderIds(r, state)),
    () => state.clientOrderIds.count === 0,
  )
  sections.read(
    SECTIONS.triggers,
    (r) => readTriggers(r, state),
    () => hasNoTriggers(state),
  )
  for (const part of PARTS) {
    sections.read(
      part,
      (r) => part.read(r, state),
      () => part.isEmpty(state),
    )
  }
  sections.end()
  r.end()
  checkPlaces(state)
  checkTriggers(state)
  checkListIds(state, listIds)
  checkExpiries(state)
  checkBackOffice(state)
  checkHolds(state)
  return state
}

/** Whether no order rests anywhere. */
function isUnused({ markets }: ExchangeState): boolean {
  return markets.every(({ book }) => book.restingCount === 0)
}

function writePosition(w: ByteWriter, state: ExchangeState): void {
  w.uint(state.rulesVersion)
  w.uint(state.seq)
  w.uint(state.time)
  w.uint(state.nextOrder)
  w.uint(state.nextTrade)
}

function readParts(sections: SectionReader, { registryLimits }: StateOptions): StateParts {
  const registry = new Registry(registryLimits)
  let position: ReturnType<typeof readPosition> | undefined
  let ledger: Ledger | undefined
  let references = new References()
  sections.read(SECTIONS.position, (r) => {
    position = readPosition(r)
  })
  for (const part of registry.parts) sections.read(SECTIONS[part.name], part.read, part.isEmpty)
  registry.checkRead()
  sections.read(SECTIONS.balances, (r) => {
    ledger = Ledger.read(r)
  })
  sections.read(
    SECTIONS.references,
    (r) => {
      references = References.read(r)
    },
    () => references.count === 0,
  )
  if (position === undefined || ledger === undefined)
    throw new BytesFault('the snapshot has no position or no balances')
  return { ...position, registry, ledger, references }
}

function readPosition(r: ByteReader) {
  const rulesVersion = r.uint()
  if (rulesVersion < FIRST_RULES_VERSION)
    throw new BytesFault('the snapshot is under rules 0, expected 1 or newer')
  if (rulesVersion > RULES_VERSION) {
    throw new BytesFault(
      `the snapshot is under rules ${rulesVersion}, the newest rules of this program are ${RULES_VERSION}`,
    )
  }
  return {
    rulesVersion,
    seq: seq(r.uint()),
    time: timeMs(r.uint()),
    nextOrder: r.uint(),
    nextTrade: r.uint(),
  }
}

/**
 * Whether an order or list under a client order id can have been placed. An order must be open exactly if
 * `isOpen` is true.
 */
function canBeIdentified(state: ExchangeState, identified: Identified, isOpen: boolean): boolean {
  const { number, time } = placementOf(identified)
  const accountId = accountOf(identified)
  const { symbolId } = identified.kind === 'LEG' ? identified : identified.asked
  const isPossible =
    isClientOrderId(identified.clientOrderId) &&
    state.isTrader(accountId) &&
    state.market(symbolId) !== undefined &&
    number < state.nextOrder &&
    time <= state.time
  if (identified.kind === 'LIST') return isPossible
  const order = state.orders.get(placedOrder(identified).orderNumber)
  if (!isPossible || !isOpen) return isPossible && order === undefined
  return order?.accountId === accountId && order.symbolId === symbolId && order.time === time
}

/** Returns the lists among the ids: they are checked later, when lists have been read. */
function readClientOrderIds(r: ByteReader, state: ExchangeState): ListId[] {
  const lists: ListId[] = []
  state.clientOrderIds.read(r, (identified, isOpen) => {
    if (identified.kind === 'LIST') lists.push({ number: identified.answer.listNumber, isOpen })
    return canBeIdentified(state, identified, isOpen)
  })
  return lists
}

/** A list under a client order id, and whether it must be open. */
type ListId = { readonly number: ListNumber; readonly isOpen: boolean }

/** Checks that each list under a client order id is open exactly if it must be. */
function checkListIds({ lists }: ExchangeState, ids: readonly ListId[]): void {
  for (const { number, isOpen } of ids) {
    if ((lists.get(number) !== undefined) !== isOpen) {
      throw new BytesFault(`the client order id of list ${number} is not valid`)
    }
  }
}

/**
 * Checks that records of operators refer to existing accounts, assets and tiers, and to no more money than is
 * frozen.
 */
function checkBackOffice(state: ExchangeState): void {
  for (const { feeTier, name } of state.registry.accounts()) {
    const isKnown = feeTier === undefined || state.backOffice.feeTiers.get(feeTier) !== undefined
    if (!isKnown) throw new BytesFault(`account ${name} has an unknown fee tier ${feeTier}`)
  }
  for (const { accountId, assetId } of state.backOffice.withdrawals.pending()) {
    const held = state.backOffice.withdrawals.held(accountId, assetId)
    const isKnown = state.isTrader(accountId) && state.registry.asset(assetId) !== undefined
    if (!isKnown || state.ledger.balance(accountId, assetId, 'freeze') < held) {
      throw new BytesFault(
        `account ${accountId} does not have the ${held} of asset ${assetId} that its withdrawals need`,
      )
    }
  }
}

/** Checks that locked amounts equal the holds of the open orders, account by account. */
function checkHolds(state: ExchangeState): void {
  for (const { id, code } of state.registry.assets()) {
    const { wrongHolds } = auditHolds(state, id)
    if (wrongHolds > 0) {
      throw new BytesFault(
        `the locked ${code} of ${wrongHolds} accounts differs from the holds of their orders`,
      )
    }
  }
}

/** Checks that the ledger has exactly the accounts and assets of the registry. */
function checkCounts({ registry, ledger }: StateParts): void {
  const { assetCount, accountCount } = ledger
  if (accountCount !== registry.accountCount || assetCount !== registry.assetCount) {
    const known = `${registry.accountCount} accounts and ${registry.assetCount} assets`
    throw new BytesFault(
      `the ledger has ${accountCount} accounts and ${assetCount} assets, expected ${known}`,
    )
  }
}
