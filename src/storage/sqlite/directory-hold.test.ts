import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdDirectory } from './directory-hold.ts'

/** Makes the runtime collect unreferenced objects. */
async function collect(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await Bun.sleep(5)
    Bun.gc(true)
  }
}

test('a directory is locked until it is released, even if the lock object is dropped', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hold-'))
  try {
    const letGo = holdDirectory(directory)
    expect(() => holdDirectory(directory)).toThrow('is in use by another process')
    letGo()
    const holdOnly = (): void => void holdDirectory(directory)
    holdOnly()
    await collect()
    expect(() => holdDirectory(directory)).toThrow('is in use by another process')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
