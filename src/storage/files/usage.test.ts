import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { storageUse } from './usage.ts'

test('files are added up by their purpose; missing ones count as zero', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-usage-'))
  try {
    const empty = storageUse(directory)
    expect([empty.journalBytes, empty.historyBytes, empty.snapshotsBytes, empty.snapshotMs]).toEqual([
      0,
      0,
      0,
      undefined,
    ])
    expect(empty.freeBytes).toBeGreaterThan(0)
    const write = (name: string, bytes: number) =>
      writeFileSync(path.join(directory, name), new Uint8Array(bytes))
    mkdirSync(path.join(directory, 'snapshots'))
    for (const [name, bytes] of [
      ['journal.sqlite', 5],
      ['journal.sqlite-wal', 2],
      ['history.sqlite', 9],
    ] as const)
      write(name, bytes)
    for (const name of ['1.snapshot', '2.snapshot', '3.snapshot.aside']) write(`snapshots/${name}`, 4)
    utimesSync(path.join(directory, 'snapshots/1.snapshot'), 1_000, 1_000)
    utimesSync(path.join(directory, 'snapshots/2.snapshot'), 2_000, 2_000)
    expect(storageUse(directory)).toMatchObject({
      journalBytes: 7,
      historyBytes: 9,
      snapshotsBytes: 8,
      snapshotMs: 2_000_000,
    })
  } finally {
    rmSync(directory, { recursive: true })
  }
})
