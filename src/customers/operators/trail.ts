/**
 * The history of all customers is one chain, whose head is journaled once a day: even with access to the
 * store, earlier entries cannot be changed or removed unnoticed. Each start compares the trail with the
 * newest head in the journal, and so does each new head.
 */
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { TrailHead } from '../ports.ts'
import { type OperatorRefusal, refusedOperator } from './refusal.ts'

const DAY_MS = 86_400_000
/**
 * After a trail was found to differ, no head is journaled for this long: each start finds the difference
 * again.
 */
export const HELD_BACK_MS = DAY_MS

type Parts = Pick<CustomersContext, 'store' | 'world' | 'exchange' | 'found'>
/** A turn that belongs to no person. */
const HEAD_TURN = 'head of the trail'

/** Called at intervals. Rejects with `ExchangeFault`; the next call then continues. */
export async function journalHeadOfDay(parts: Parts & Pick<CustomersContext, 'turns'>): Promise<void> {
  if (isHeadDue(parts)) await parts.turns.take(HEAD_TURN, () => journalHead(parts))
}

function isHeadDue({ store, world }: Parts): boolean {
  const head = store.records.head()
  const before = store.records.journaledHead()
  // If the clock was set back, the next head is journaled after the day of the last one.
  if (head === undefined || head.number === before?.number) return false
  return before === undefined || Math.floor(world.now() / DAY_MS) > Math.floor(before.atMs / DAY_MS)
}

async function journalHead(parts: Parts): Promise<void> {
  const { store, world, exchange } = parts
  const head = store.records.head()
  const nowMs = world.now()
  // Another process may have journaled it.
  if (head === undefined || !isHeadDue(parts)) return
  const differsSince = store.records.differsSince()
  if (differsSince !== undefined && nowMs - differsSince < HELD_BACK_MS) return
  // The trail may have been rewritten since the start. A difference found earlier does not stop the
  // journaling again.
  if (differsSince === undefined) {
    const expected = await exchange.newestHead()
    if (expected !== undefined && !containsHead(parts, expected)) return noteDifference(parts, expected)
  }
  await exchange.noteHead(head.number, head.hash)
  store.records.setJournaledHead(head.number, nowMs)
  store.records.setDiffersSince(undefined)
}

/**
 * Called once at a start: every entry must follow from those before it, and the newest head in the journal
 * must be among them. The check runs in pieces, beside requests: a difference stops nothing, since no
 * credential depends on the trail. Rejects with `ExchangeFault`, or with the reason of `gone`, after which
 * the store is not used.
 */
export async function compareTrail(parts: Parts, gone: AbortSignal): Promise<void> {
  const { store, exchange } = parts
  const expected = await exchange.newestHead()
  gone.throwIfAborted()
  if (expected === undefined) return
  const broken = await store.records.firstBrokenInPieces(async () => {
    await new Promise(setImmediate)
    gone.throwIfAborted()
  })
  if (broken !== undefined || !containsHead(parts, expected)) noteDifference(parts, expected, broken)
  else store.records.setDiffersSince(undefined)
}

function containsHead({ store }: Parts, { number, hash }: TrailHead): boolean {
  const found = store.records.hashAt(number)
  return found !== undefined && Buffer.compare(found, hash) === 0
}

/** Logged once per process. */
function noteDifference({ store, world, found }: Parts, expected: TrailHead, broken?: number): void {
  store.atOnce(() => store.records.setDiffersSince(store.records.differsSince() ?? world.now()))
  if (found.trailDiffers === 1) return
  found.trailDiffers = 1
  const hash = store.records.hashAt(expected.number)
  world.log.warn(
    {
      expected: { number: expected.number, hash: hexOf(expected.hash) },
      found: {
        newest: store.records.head()?.number ?? 0,
        hash: hash === undefined ? null : hexOf(hash),
        broken: broken ?? null,
      },
    },
    'the trail of customers does not contain the newest head in the journal: the store is an older copy, or its trail was changed',
  )
}

export async function checkTrail(
  { store }: CustomersContext,
  { number }: QuestionRequest<'trail'>,
): Promise<QuestionAnswer<'trail'> | OperatorRefusal> {
  const head = store.records.head()
  const shown = number ?? head?.number ?? 0
  const hash = store.records.hashAt(shown)
  if (head === undefined || hash === undefined)
    return refusedOperator('NO_SUCH_ENTRY', `number: the trail has no entry ${shown}`, 'number')
  const broken = await store.records.firstBrokenInPieces(() => new Promise(setImmediate))
  return {
    entries: head.number,
    broken: broken ?? null,
    number: shown,
    hash: hexOf(hash),
  }
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}
