/**
 * Scripts that browsers and users' programs load: none of them compiles code from text, and they grow only on
 * purpose.
 */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleOperatorPage, bundlePage } from '../src/app/node/page/bundle.ts'

const ENTRY = path.join(import.meta.dir, '..', 'src', 'client', 'index.ts')

async function client(): Promise<readonly string[]> {
  const { outputs } = await Bun.build({ entrypoints: [ENTRY], target: 'browser', minify: true })
  return Promise.all(outputs.map((output) => output.text()))
}

async function scriptsOf(files: ReturnType<typeof bundlePage>): Promise<readonly string[]> {
  const scripts = (await files).filter(({ type }) => type.includes('javascript'))
  return scripts.map(({ bytes }) => new TextDecoder().decode(bytes))
}

/** Largest size of all scripts together in KiB, compressed: some 5 % above the current size. */
const BUNDLES: readonly (readonly [string, () => Promise<readonly string[]>, number])[] = [
  ['the client', client, 18.5],
  ['the trading page', () => scriptsOf(bundlePage()), 235],
  ["the operator's page", () => scriptsOf(bundleOperatorPage()), 89],
]

const MAKES_CODE = /\bFunction\s*\(|\beval\s*\(/

test.each(BUNDLES)(
  '%s makes no code from text, and is no larger than its limit',
  async (_, load, mostKib) => {
    const scripts = await load()
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((text) => MAKES_CODE.test(text))).toEqual([])
    expect(gzipSync(scripts.join('\n')).length / 1_024).toBeLessThan(mostKib)
  },
)

/** Largest size, in KiB compressed, that the customer's own pages add to the market page. */
const CUSTOMER_PAGES_KIB = 60
/** A style class, which no minifier renames, that only the customer's pages have. */
const OF_CUSTOMER_PAGES = 'account-scroll'
const IMPORTED = /\b(?:from|import)"(\/assets\/[^"]+)"/g

test("the customer's own pages are loaded at their first use, and are small", async () => {
  const files = await bundlePage()
  const textByPath = new Map(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]))
  const needed = (first: readonly string[]) => {
    const paths = new Set(first)
    for (const path of paths)
      for (const [, imported = ''] of (textByPath.get(path) ?? '').matchAll(IMPORTED)) paths.add(imported)
    return paths
  }
  const named = [...(textByPath.get('/') ?? '').matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)]
  const firstView = needed(named.map(([, path = '']) => path))
  const isOfCustomers = (path: string) => textByPath.get(path)?.includes(OF_CUSTOMER_PAGES) ?? false
  expect([firstView.size > 1, [...firstView].filter(isOfCustomers)]).toEqual([true, []])
  const scripts = [...textByPath.keys()].filter((path) => path.endsWith('.js') && isOfCustomers(path))
  expect(scripts).toHaveLength(1)
  const later = [...needed(scripts)].filter((path) => !firstView.has(path))
  const size = gzipSync(later.map((path) => textByPath.get(path)).join('\n')).length / 1_024
  expect(size).toBeGreaterThan(1)
  expect(size).toBeLessThan(CUSTOMER_PAGES_KIB)
})

test('code that is made from text is found in a bundle', () => {
  expect(MAKES_CODE.test('let a=new Function("return 1")')).toBe(true)
  expect(MAKES_CODE.test('let a=Function("return 1")')).toBe(true)
  expect(MAKES_CODE.test('isFunction(a)')).toBe(false)
})
