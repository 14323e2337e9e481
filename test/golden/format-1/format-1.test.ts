/**
 * Journals of format 1, which no release has written: the present program refuses their directories, and its
 * core derives from their commands the same balances, orders, trades and fees as the core of that time
 * (`expected.json`).
 */
import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Exchange } from '../../../src/core/exchange/exchange.ts'
import { openStorage } from '../../../src/storage/sqlite/storage.ts'
import { outcomeOf, type Replayed, tradeText } from '../digest.ts'
import { commandsOfFormat1 } from './commands.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-format-1-'))
afterAll(() => rmSync(root, { recursive: true }))

const names = readdirSync(import.meta.dir, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

test('four journals of format 1 are kept', () => {
  expect(names.sort()).toEqual(['administration', 'clock', 'first', 'reseal'])
})

for (const name of names) {
  const source = join(import.meta.dir, name)

  test(`the commands of ${name}, applied by the core of today, come to the same views and trades`, () => {
    const { seq, viewHash, tradesHash, trades } = JSON.parse(
      readFileSync(join(source, 'expected.json'), 'utf8'),
    ) as Replayed
    // A copy: reading a database creates files beside it.
    const journal = join(root, `${name}.sqlite`)
    cpSync(join(source, 'journal.sqlite'), journal)
    const exchange = new Exchange()
    const seen: string[] = []
    for (const { time, command } of commandsOfFormat1(journal)) {
      if (command === undefined) exchange.refuse(time)
      else {
        exchange.apply(command, time, (event) => {
          if (event.kind === 'OrdersMatched') seen.push(tradeText(event))
        })
      }
    }
    expect(outcomeOf(exchange, seen)).toEqual({ seq, viewHash, tradesHash, trades } as never)
  })

  test(`the directory of ${name} is refused by a sentence that names its format, and not touched`, () => {
    const directory = join(root, name)
    cpSync(source, directory, { recursive: true })
    const journal = join(directory, 'journal.sqlite')
    const before = digestOf(journal)
    expect(() => openStorage({ directory })).toThrow(
      `${journal} has format 1, this version reads 2 and 3: a program from before the first release wrote it. Nothing was changed`,
    )
    expect(digestOf(journal)).toBe(before)
  })
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
