import { expect, test } from 'bun:test'
import { sha256 } from '../../storage/sha256.ts'
import { type Batch, JournalFault, type Mark } from '../port/journal.ts'
import { ChainCheck } from './chain-check.ts'
import { JournaledExchange, openMarkets } from './journaled-exchange.fixture.ts'

/** Ten batches, and the result of a check of them up to `until`. */
async function checked(until: (tail: Mark) => Mark, change?: (batch: Batch) => Batch): Promise<unknown> {
  const source = new JournaledExchange()
  for (let i = 0; i < 10; i++) await source.write(openMarkets())
  const parts = { feed: source.feed(change), digest: sha256, pieceBytesMax: 1_000 }
  const check = new ChainCheck(parts, until(source.journal.tail))
  let pieces = 0
  try {
    for (; !check.isDone; pieces++) await check.step()
    return pieces
  } catch (fault) {
    return fault
  }
}

test('a whole chain is checked in pieces, up to the place asked for', async () => {
  expect(await checked((tail) => tail)).toBeGreaterThan(3)
})

test('a changed byte is found, and its batch is named', async () => {
  const fault = await checked(
    (tail) => tail,
    (batch) => (batch.firstSeq === 1 ? { ...batch, data: batch.data.with(3, 255) } : batch),
  )
  expect(fault).toBeInstanceOf(JournalFault)
  expect(String(fault)).toContain('batch 1 to')
})

test('a whole chain that differs from the remembered one is damage too', async () => {
  const fault = await checked((tail) => ({ ...tail, hash: new Uint8Array(32) }))
  expect(String(fault)).toContain('had hash 0000')
})
