/**
 * A, stored: the newest golden journal's snapshots, read and written again: the file byte by byte, the state
 * section by section.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Exchange } from '../../../src/core/exchange/exchange.ts'
import type { Snapshot } from '../../../src/engine/port/snapshots.ts'
import { SnapshotFiles } from '../../../src/storage/files/snapshots.ts'
import { sha256 } from '../../../src/storage/sha256.ts'
import { ByteReader } from '../../../src/units/bytes.ts'
import { type Difference, type Part, parting } from '../part.ts'

const FOLDER = path.join(import.meta.dir, '../../golden/journal-2026-11-cancel')

export const STORED_FILES: readonly Part[] = [
  { class: 'A', name: 'golden/journal-2026-11-cancel, its snapshots', compare: compareSnapshots },
]

async function compareSnapshots(): Promise<Difference[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-corpus-'))
  try {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.snapshot'))
    const differences: Difference[] = []
    for (const name of names) differences.push(...(await compareFile(name, path.join(directory, name))))
    return differences
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** `directory` is for this snapshot alone. */
async function compareFile(name: string, directory: string): Promise<Difference[]> {
  mkdirSync(directory)
  copyFileSync(path.join(FOLDER, name), path.join(directory, name))
  const files = new SnapshotFiles(directory, sha256, 'corpus')
  const [head] = (await files.list()).heads
  const loaded = head === undefined ? undefined : await files.load(head)
  if (loaded === undefined || 'problem' in loaded)
    return [{ aspect: 'bytes', kind: name, detail: loaded?.problem ?? 'its head cannot be read' }]
  const payload = Exchange.decodeSnapshot(loaded.payload).encodeSnapshot()
  const state = compareSections(name, loaded.payload, payload)
  return state.length > 0 ? state : compareWritten(name, path.join(directory, 'anew'), { ...loaded, payload })
}

async function compareWritten(name: string, directory: string, snapshot: Snapshot): Promise<Difference[]> {
  await new SnapshotFiles(directory, sha256, 'corpus').save(snapshot)
  const [expected, found] = [path.join(FOLDER, name), path.join(directory, name)].map((file) =>
    readFileSync(file).toString('hex'),
  )
  if (expected === found) return []
  return [{ aspect: 'bytes', kind: name, detail: parting(expected ?? '', found ?? '') }]
}

/** Compares section by section, by number; `layout` is the part before the sections. */
export function compareSections(name: string, expected: Uint8Array, found: Uint8Array): Difference[] {
  const [before, after] = [sectionsOf(expected), sectionsOf(found)]
  const numbers = new Set([...before.keys(), ...after.keys()])
  return [...numbers].flatMap((number): Difference[] => {
    const [was, is] = [before.get(number) ?? 'no section', after.get(number) ?? 'no section']
    return was === is ? [] : [{ aspect: 'bytes', kind: `${name}, ${number}`, detail: parting(was, is) }]
  })
}

function sectionsOf(payload: Uint8Array): Map<string, string> {
  const reader = new ByteReader(payload)
  const sections = new Map([['layout', String(reader.uint())]])
  for (let number = reader.uint(); number !== 0; number = reader.uint()) {
    const length = reader.u32()
    sections.set(`section ${number}`, Buffer.from(reader.raw(length)).toString('hex'))
  }
  return sections
}
