/**
 * `npm run ccxt:tests` with a stand-in for a checkout of ccxt: the input of its tests, and the files left in
 * it.
 */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'bourse-ccxt-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (checkout: string) => Bun.spawnSync(['node', path.join(ROOT, 'tools/ccxt-tests.mjs'), checkout])

test("ccxt's runner gets the class and the files, which do not stay in the checkout", () => {
  const checkout = path.join(folder, 'built')
  mkdirSync(path.join(checkout, 'js/src/test'), { recursive: true })
  writeFileSync(path.join(checkout, 'package.json'), '{ "type": "module" }')
  // A stand-in for ccxt and its runner, which prints its input and fails if files are missing.
  writeFileSync(
    path.join(checkout, 'js/ccxt.js'),
    'class Exchange {}\nexport default { Exchange, pro: {}, exchanges: [] }',
  )
  const runner = `import { readFileSync } from 'node:fs'
    import ccxt from '../../ccxt.js'
    const [name, kind] = process.argv.slice(2)
    const folder = kind === '--requestTests' ? 'request' : 'response'
    const { exchange } = JSON.parse(readFileSync('ts/src/test/static/' + folder + '/bourse.json', 'utf8'))
    console.log(kind, exchange, ccxt[name].name, ccxt.pro[name] === ccxt[name])`
  writeFileSync(path.join(checkout, 'js/src/test/tests.init.js'), runner)
  const { stdout, exitCode } = run(checkout)
  const lines = ['--requestTests bourse bourse true', '--responseTests bourse bourse true']
  expect([exitCode, stdout.toString().trim().split('\n')]).toEqual([0, lines])
  expect(existsSync(path.join(checkout, 'ts/src/test/static/request/bourse.json'))).toBe(false)
})

test('a folder that is not a built checkout of ccxt is refused with what is missing', () => {
  const { stderr, exitCode } = run(folder)
  expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining('js/ccxt.js is missing')])
})
