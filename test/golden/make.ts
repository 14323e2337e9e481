/**
 * `npm run golden -- <name>`: makes the golden journal `test/golden/<name>` with the current code, when a
 * release brings a new format. It never changes an existing one, because those are promises.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND_CODES } from '../../src/core/commands/command.ts'
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { ByteReader } from '../../src/units/bytes.ts'
import { notUnderstood, readProgram } from '../../tools/lib/program.mjs'
import { replayJournal } from './digest.ts'
import { playSession } from './session.ts'

const PROGRAM = {
  command: 'npm run golden --',
  about:
    'Makes the golden journal test/golden/<name> with the code as it is now. One that is there stays as it is.',
  words: '<name>',
}
const { words } = readProgram(PROGRAM)
const [name = ''] = words
const target = join(import.meta.dir, name)
if (words.length !== 1 || !/^journal-\d{4}-\d{2}-[a-z]+$/.test(name)) {
  notUnderstood(
    PROGRAM.command,
    `expected one name such as journal-2026-11-first, found ${words.join(' ') || 'none'}`,
  )
}
if (existsSync(target)) fail(`${target} already exists and is not changed`)

const directory = mkdtempSync(join(tmpdir(), 'bourse-golden-'))
await playSession(directory)
const replayed = await replayJournal(directory)
for (const kind of Object.keys(COMMAND_CODES)) {
  if (replayed.commands[kind] === undefined) fail(`the session has no ${kind}`)
}
const { stateHash, ...rest } = replayed
mkdirSync(target)
copyFileSync(join(directory, 'journal.sqlite'), join(target, 'journal.sqlite'))
for (const snapshot of readdirSync(join(directory, 'snapshots'))) {
  copyFileSync(join(directory, 'snapshots', snapshot), join(target, snapshot))
}
const layout = new ByteReader(new Exchange().encodeSnapshot()).uint()
const expected = { ...rest, stateHashByLayout: { [layout]: stateHash } }
const text = JSON.stringify(expected, undefined, 2).replace(/\[\s+([\d,\s]+?)\s+\]/g, '[$1]')
writeFileSync(join(target, 'expected.json'), `${text}\n`)
rmSync(directory, { recursive: true })
process.stdout.write(`${target}: ${replayed.seq} commands, state hash ${stateHash}\n`)
process.exit()

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
