import { describe, expect, test } from 'bun:test'
import type { LedgerEntry } from '../../../client/interface/answers.ts'
import type { Balance } from '../../../client/interface/messages.ts'
import { TransferWatch } from './transfer-watch.ts'

const JOURNAL = 'j'

function balance(free: string, locked = '0'): Balance {
  return { asset: 'BTC', free, locked, freeze: '0', savings: '0' }
}

function entry(id: string, cause: LedgerEntry['cause'], time: number): LedgerEntry {
  return { id, time, asset: 'BTC', wallet: 'SPOT', cause, amount: '1', balance: '1' }
}

function watch(ledger: readonly LedgerEntry[]) {
  const reported: string[] = []
  const asked: number[] = []
  let due: (() => void)[] = []
  const transfers = new TransferWatch({
    ledger: async (from) => {
      asked.push(from)
      return ledger
    },
    schedule: (_, callback) => due.push(callback),
    onTransfer: ({ id }) => reported.push(id),
  })
  const settle = async () => {
    const now = due
    due = []
    for (const callback of now) callback()
    await Promise.resolve()
    await Promise.resolve()
  }
  const change = (seq: number, row: Balance) =>
    transfers.takeBalances({ kind: 'change', journal: JOURNAL, seq, time: seq * 10, rows: [row] })
  const fill = (seq: number) =>
    transfers.takeFills({ kind: 'change', journal: JOURNAL, seq, time: seq * 10, rows: [] })
  transfers.takeBalances({ kind: 'state', journal: JOURNAL, seq: 1, rows: [balance('1')] })
  return { reported, asked, settle, change, fill }
}

describe('deposits and withdrawals', () => {
  test('are reported once, with their cause from the ledger', async () => {
    const { reported, asked, settle, change } = watch([
      entry('c', 'COMMISSION', 50),
      entry('b', 'WITHDRAWAL', 40),
      entry('a', 'CREDIT', 30),
    ])
    change(3, balance('2'))
    change(4, balance('1.5'))
    await settle()
    expect([asked, reported]).toEqual([[30], ['a', 'b']])
    change(5, balance('2.5'))
    await settle()
    expect(reported).toEqual(['a', 'b'])
  })

  test('are not looked up where a command filled an order, before or after its balances, or only held money', async () => {
    const { asked, settle, change, fill } = watch([])
    change(3, balance('2'))
    fill(3)
    fill(4)
    change(4, balance('3'))
    change(5, balance('2', '1'))
    await settle()
    expect(asked).toEqual([])
  })
})
