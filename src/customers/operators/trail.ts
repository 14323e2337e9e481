/**
 * The trail of all customers: its head is journaled once a day, so that nothing before it can be changed or
 * taken out without being noticed, by somebody who has the store.
 */
import type { QuestionAnswer, QuestionRequest } from '../../contract/customers/operator-questions.ts'
import type { CustomersContext } from '../customers-context.ts'
import { type OperatorRefusal, refusedOperator } from './refusal.ts'

const DAY_MS = 86_400_000

/** Called now and then. Rejects with `ExchangeFault`: the next call goes on. */
export async function journalHeadOfDay({
  store,
  world,
  exchange,
}: Pick<CustomersContext, 'store' | 'world' | 'exchange'>): Promise<void> {
  const head = store.records.head()
  const before = store.records.journaledHead()
  const nowMs = world.now()
  // The clock may have gone back: then the day of the last one is over when it comes again.
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
