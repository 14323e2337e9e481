import { expect, test } from 'bun:test'
import { type MemoryTable, MemoryTablePlace } from '../../../sim/memory/leadership-table.ts'
import { LeaderWatch } from './leader-watch.ts'

function placed(): { watch: LeaderWatch; opened: MemoryTable[]; cut: () => number } {
  const place = new MemoryTablePlace(() => 0)
  const opened: MemoryTable[] = []
  let cuts = 0
  const watch = new LeaderWatch(async () => {
    const table = await place.open()
    const cutTable = table.cut.bind(table)
    table.cut = () => {
      cuts++
      cutTable()
    }
    opened.push(table)
    return table
  })
  return { watch, opened, cut: () => cuts }
}

test('queries at the same time need one connection', async () => {
  const { watch, opened } = placed()
  await Promise.all([watch.look(), watch.look()])
  await watch.look()
  expect(opened.length).toBe(1)
})

test('a connection that was being opened at the end is closed', async () => {
  const { watch, opened, cut } = placed()
  const look = watch.look().catch(() => 'refused')
  watch.close()
  expect(await look).toBe('refused')
  expect([opened.length, cut() > 0]).toEqual([1, true])
})
