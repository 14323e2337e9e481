/**
 * The formats and texts that the exchange stores, sends between its processes and shows equal the committed
 * ones: README.md says what may change and when.
 */
import { describe, expect, test } from 'bun:test'
import { CLASSES, type CorpusClass } from './part.ts'
import { PARTS } from './parts/all.ts'

for (const name of Object.keys(CLASSES) as CorpusClass[]) {
  describe(`the corpus of ${CLASSES[name]}`, () => {
    for (const part of PARTS.filter((each) => each.class === name)) {
      test(`${part.name} is as committed, and has an entry for every kind and form`, async () => {
        expect(await part.compare()).toEqual([])
      })
    }
  })
}
