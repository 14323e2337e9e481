/**
 * The history of all customers is one chain, whose head is journaled once a day: even with access to the
 * store, earlier entries cannot be changed or removed unnoticed.
 */
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import type { CustomersContext } from '../customers-context.ts'
import { type OperatorRefusal, refusedOperator } from './refusal.ts'

const DAY_MS = 86_400_000

/** Called at intervals. Rejects with `ExchangeFault`: the next call continues. */
export async function journalHeadOfDay({
  store,
  world,
  exchange,
}: Pick<CustomersContext, 'store' | 'world' | 'exchange'>): Promise<void> {
  const head = store.records.head()
  const before = store.records.journaledHead()
  const nowMs = world.now()
  // If the clock was set back, the next head is journaled after the day of the last one.
  if (head === undefined || head.number === before?.number) return
  if (before !== undefined && Math.floor(nowMs / DAY_MS) <= Math.floor(before.atMs / DAY_MS)) return
  await exchange.noteHead(head.number, head.hash)
  store.records.setJournaledHead(head.number, nowMs)
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
    hash: Buffer.from(hash).toString('hex'),
  }
}
