/**
 * Each name of a class is used for one class, and for no other type. Types of the client are left out: they
 * have the contract's names, which the client passes on.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isProductionCode } from '../tools/lib/code-count.mjs'

const ROOT = path.resolve(import.meta.dir, '..')
const DECLARED = /^export (?:abstract )?(class|type|interface) (\w+)/gm

type Declaration = { readonly name: string; readonly isClass: boolean; readonly file: string }

function declarations(): readonly Declaration[] {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
    cwd: ROOT,
  })
  const files = stdout
    .toString()
    .trim()
    .split('\n')
    .filter((file) => isProductionCode(file) && /\.tsx?$/.test(file))
  return files.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(DECLARED)].map(([, kind, name = '']) => ({
      ...{ name, file },
      isClass: kind === 'class',
    })),
  )
}

const isOfContract = ({ file, isClass }: Declaration): boolean => file.startsWith('src/client/') && !isClass

test('the name of an exported class is unique among classes and types', () => {
  const all = declarations().filter((each) => !isOfContract(each))
  const byName = Map.groupBy(all, ({ name }) => name)
  expect(all.filter(({ isClass }) => isClass).length).toBeGreaterThan(300)
  const shared = [...byName].filter(([, those]) => those.length > 1 && those.some(({ isClass }) => isClass))
  expect(shared.map(([name, those]) => `${name}: ${those.map(({ file }) => file).join(', ')}`)).toEqual([])
})
