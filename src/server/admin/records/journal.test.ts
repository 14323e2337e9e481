import { expect, test } from 'bun:test'
import { JournalFault } from '../../../engine/port/journal.ts'
import type { Seq } from '../../../units/quantities.ts'
import { type AdminContext, AdminRequestError } from '../context.ts'
import { readJournal } from './journal.ts'

/** The result of a pull when the read of the journal fails with `fault`. */
function pulled(fault: JournalFault): Promise<unknown> {
  const feed = { next: () => Promise.reject(fault) }
  const context = { feed, seq: () => 5 as Seq } as unknown as AdminContext
  return readJournal(context, { after: 0 }).catch((cause: unknown) => cause)
}

test('damage that a read of the journal meets is named, and any other failure is the node’s own', async () => {
  const damaged = await pulled(new JournalFault('DAMAGED', 'batch 7 is not what was written'))
  expect(damaged).toBeInstanceOf(AdminRequestError)
  expect(damaged).toMatchObject({
    status: 500,
    error: { reason: 'JOURNAL_DAMAGED', message: 'batch 7 is not what was written' },
  })
  const failed = new JournalFault('FAILED', 'disk error')
  expect(await pulled(failed)).toBe(failed)
})
