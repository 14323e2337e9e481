import { expect, test } from 'bun:test'
import type { AuditHost } from './host.ts'
import { count, Progress } from './progress.ts'

function watched(isTerminal: boolean) {
  const shown: string[] = []
  const time = { nowMs: 0 }
  const host: AuditHost = {
    print: () => {},
    printError: (text) => void shown.push(text),
    terminal: isTerminal ? (text) => void shown.push(text) : undefined,
    defaultData: undefined,
    version: { number: 'test', commit: 'unknown', commitDate: 'unknown' },
    monotonicMs: () => time.nowMs,
    nowMs: () => 0,
  }
  return { shown, time, progress: new Progress(host, 'verifying') }
}

test('on a terminal a progress line is rewritten after a second, and removed at the end', () => {
  const { shown, time, progress } = watched(true)
  progress.at({ seq: 1, endSeq: 4_000 })
  time.nowMs = 999
  progress.at({ seq: 2, endSeq: 4_000 })
  expect(shown).toEqual([])
  time.nowMs = 1_000
  progress.at({ seq: 1_000, endSeq: 4_000 })
  progress.at({ seq: 1_001, endSeq: 4_000 })
  expect(shown).toEqual(['\r\u001b[2Kverifying: command 1,000 of 4,000 (25 %), 1,000 a second'])
  progress.end()
  progress.end()
  expect(shown.slice(1)).toEqual(['\r\u001b[2K'])
})

test('without a terminal a line is printed every five seconds, and short work prints nothing', () => {
  const { shown, time, progress } = watched(false)
  for (time.nowMs = 0; time.nowMs < 5_000; time.nowMs += 100) progress.at({ seq: 1, endSeq: 2 })
  expect(shown).toEqual([])
  for (; time.nowMs <= 10_000; time.nowMs += 100) progress.at({ seq: 1, endSeq: 2 })
  expect(shown).toHaveLength(2)
  progress.end()
  progress.at({ seq: 2, endSeq: 2 })
  expect(shown).toHaveLength(2)
})

test('large numbers are readable', () => {
  expect([0, 999, 1_000, 1_234_567].map(count)).toEqual(['0', '999', '1,000', '1,234,567'])
})
