/**
 * The pictures of the documentation, which `npm run screenshots` takes: each exists, is shown by a page, and
 * is small.
 */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { Glob } from 'bun'
import { SHOWN } from './browser/pictures/scenes.ts'

const ROOT = path.join(import.meta.dir, '..')
const FOLDER = path.join(ROOT, 'docs/images')
const BYTES_MAX = 150 * 1_024
const ALL_BYTES_MAX = 1_024 * 1_024

const files = readdirSync(FOLDER).toSorted()

test('docs/images has the pictures that the script takes, and no others', () => {
  expect(files).toEqual(SHOWN.map(({ name }) => `${name}.png`).toSorted())
})

test('every picture is shown by a page', () => {
  const pages = ['README.md', ...new Glob('docs/**/*.md').scanSync({ cwd: ROOT })]
  const shown = pages.flatMap((page) => {
    const text = readFileSync(path.join(ROOT, page), 'utf8')
    return [...text.matchAll(/!\[[^\]]+\]\(([^)\s]+\.png)\)/g)].map(([, target = '']) =>
      path.relative(FOLDER, path.join(ROOT, path.dirname(page), target)),
    )
  })
  expect([...new Set(shown)].toSorted()).toEqual(files)
})

test('every picture is small, and so is their total', () => {
  const sizes = files.map((file) => ({ file, bytes: statSync(path.join(FOLDER, file)).size }))
  expect(sizes.filter(({ bytes }) => bytes > BYTES_MAX)).toEqual([])
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(ALL_BYTES_MAX)
})
