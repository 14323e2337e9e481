/** The reference pictures of the pages and their measurements, in files beside this one. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Measures, Taken } from './take.ts'

const FOLDER = path.join(import.meta.dir, 'pinned')
const MEASURES = path.join(FOLDER, 'measures.json')

type AllMeasures = { readonly [scene: string]: Measures }

export function readPin(scene: string): Taken {
  const measures = (JSON.parse(readFileSync(MEASURES, 'utf8')) as AllMeasures)[scene]
  if (measures === undefined)
    throw new Error(`no picture of '${scene}' is pinned: npm run screenshots -- --pins`)
  return { png: readFileSync(path.join(FOLDER, `${scene}.png`)), measures }
}

/** If `isPart` is true, the pins of other scenes are kept. */
export function writePins(pins: ReadonlyMap<string, Taken>, isPart: boolean): void {
  mkdirSync(FOLDER, { recursive: true })
  for (const [scene, { png }] of pins) writeFileSync(path.join(FOLDER, `${scene}.png`), png)
  const before = (isPart ? JSON.parse(readFileSync(MEASURES, 'utf8')) : {}) as AllMeasures
  const taken = Object.fromEntries([...pins].map(([scene, pin]) => [scene, pin.measures]))
  const text = JSON.stringify({ ...before, ...taken }, undefined, 2)
  // A box on one line, as the tree's formatter writes it.
  const lines = text.replace(/\[\s+(-?\d+),\s+(-?\d+),\s+(-?\d+),\s+(-?\d+)\s+\]/g, '[$1, $2, $3, $4]')
  writeFileSync(MEASURES, `${lines}\n`)
}
