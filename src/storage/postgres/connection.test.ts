import { expect, test } from 'bun:test'
import path from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
import { journalFault, PostgresFault } from './connection.ts'

const ADDRESS = { host: '127.0.0.1', port: 1, database: 'none', user: 'nobody', password: undefined }

/** The modules of the client that a process has loaded once it has run `script`. */
function loadedBy(script: string): readonly string[] {
  const whole = `${script}; console.log(JSON.stringify(Object.keys(require.cache)))`
  const child = Bun.spawnSync([process.execPath, '--no-env-file', '-e', whole], { cwd: import.meta.dir })
  const line = child.stdout.toString().trim().split('\n').at(-1) ?? ''
  return (JSON.parse(line) as string[]).filter((file) => file.includes('/node_modules/pg/'))
}

test('the client is loaded by the first connection, and not by a node that might make one', () => {
  const imported = (file: string) => `await import(${JSON.stringify(path.resolve(import.meta.dir, file))})`
  const node = `${imported('../../app/node/node.ts')}; ${imported('../../app/cluster/run.ts')}`
  expect(loadedBy(node)).toEqual([])
  const options = JSON.stringify({ ...ADDRESS, timeoutMs: 1_000 })
  const connecting = `(${imported('connection.ts')}).Connection.open(${options}).catch(() => {})`
  expect(loadedBy(`await ${connecting}`).length).toBeGreaterThan(0)
})

test('an error of PostgreSQL becomes the matching fault of a journal: full, damaged, of another schema, or failed', () => {
  const kindOf = (code: string | undefined) => journalFault(new PostgresFault('', code)).kind
  // Appendix A of PostgreSQL's manual: disk_full, data_corrupted and index_corrupted, undefined_table.
  expect(['53100', 'XX001', 'XX002', '42P01'].map(kindOf)).toEqual([
    'STORAGE_FULL',
    'DAMAGED',
    'DAMAGED',
    'UNSUPPORTED',
  ])
  expect([undefined, '23505', '40001', 'XX000', '53200'].map(kindOf)).toEqual(Array(5).fill('FAILED'))
  const own = new JournalFault('WITNESS', 'as it was')
  expect(journalFault(own)).toBe(own)
})
