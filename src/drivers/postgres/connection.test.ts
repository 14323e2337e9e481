import { expect, test } from 'bun:test'
import path from 'node:path'

const ADDRESS = { host: '127.0.0.1', port: 1, database: 'none', user: 'nobody', password: undefined }

/** What a process has loaded of the client once it has run `script`. */
function loadedBy(script: string): readonly string[] {
  const whole = `${script}; console.log(JSON.stringify(Object.keys(require.cache)))`
  const child = Bun.spawnSync([process.execPath, '--no-env-file', '-e', whole], { cwd: import.meta.dir })
  const line = child.stdout.toString().trim().split('\n').at(-1) ?? ''
  return (JSON.parse(line) as string[]).filter((file) => file.includes('/node_modules/pg/'))
}

test('the client is loaded by the first connection, and not by a node that may make one', () => {
  const imported = (file: string) => `await import(${JSON.stringify(path.resolve(import.meta.dir, file))})`
  const node = `${imported('../../app/node/node.ts')}; ${imported('../../app/cluster/run.ts')}`
  expect(loadedBy(node)).toEqual([])
  const options = JSON.stringify({ ...ADDRESS, timeoutMs: 1_000 })
  const connecting = `(${imported('connection.ts')}).Connection.open(${options}).catch(() => {})`
  expect(loadedBy(`await ${connecting}`).length).toBeGreaterThan(0)
})
