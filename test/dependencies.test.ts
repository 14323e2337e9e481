/** The dependencies of the product: pinned, verified by content, and free of surprises. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dir, '..')
/** Licenses under which anyone may run, change and sell the complete product. */
const LICENCES = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'MIT OR Apache-2.0',
]

/**
 * Licenses of packages that only tests use, and that are not delivered with the product: changes of their
 * files must be published.
 */
const LICENCES_OF_TESTS = ['MPL-2.0']

/** The package's manifest states no license; its LICENSE file is the MIT license. */
const LICENCE_IN_FILE = ['node_modules/xmlhttprequest-ssl']

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}
type Locked = {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(path.join(ROOT, name), 'utf8')) as T
}

const manifest = read<Manifest>('package.json')
const { packages } = read<{ packages: Readonly<Record<string, Locked>> }>('package-lock.json')
/** Every package except our own, by its installation folder. */
const locked = Object.entries(packages).filter(([folder]) => folder !== '')

test('every dependency is named by one exact version, which is the one that is locked', () => {
  const named = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(named.length).toBeGreaterThan(0)
  for (const [name, version] of named) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    expect(packages[`node_modules/${name}`]?.version).toBe(version)
  }
})

test('every locked package is verified by a SHA-512 of its content', () => {
  const without = locked.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  expect(without.map(([folder]) => folder)).toEqual([])
})

test('only bun runs an install script, and every other package that has one is refused by name', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const names = scripted.map(([folder]) => folder.replace(/^.*node_modules\//, ''))
  expect(names.filter((name) => manifest.allowScripts[name] === undefined)).toEqual([])
  expect(names.filter((name) => manifest.allowScripts[name] === true)).toEqual(['bun'])
})

test('every package has a licence under which the whole may be used and distributed', () => {
  const odd = locked.filter(
    ([folder, { license = '', dev = false }]) =>
      !LICENCES.includes(license) &&
      !(dev && LICENCES_OF_TESTS.includes(license)) &&
      !LICENCE_IN_FILE.includes(folder),
  )
  expect(odd.map(([folder, { license }]) => `${folder}: ${license}`)).toEqual([])
})
