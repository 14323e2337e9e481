import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { audit, newRoot, writeDirectory } from './directory.fixture.ts'

setDefaultTimeout(300_000)

const root = newRoot()
afterAll(() => rmSync(root, { recursive: true }))

/** A prime, so that the places are spread over the pages. */
const STRIDE = 613
const PAGE_BYTES = 4096

test('a flipped bit in a page of the history ends in a report, whatever can no longer be read', async () => {
  const directory = path.join(root, 'data')
  await writeDirectory(directory)
  const file = path.join(directory, 'history.sqlite')
  const whole = readFileSync(file)
  for (let at = PAGE_BYTES; at < whole.length; at += STRIDE) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] as number) ^ (1 << (at % 8))
    writeFileSync(file, bytes)
    const { out, err } = await audit('verify', '--data', directory, '--json')
    const { findings } = JSON.parse(out) as { findings: { check: string }[] }
    expect([at, err, findings.some(({ check }) => check !== 'HISTORY')]).toEqual([at, '', false])
  }
})
