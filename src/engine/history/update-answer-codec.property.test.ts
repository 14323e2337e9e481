/**
 * Answers with updates of accounts are decoded as they were encoded, whatever optional fields orders have.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ByteWriter } from '../../units/bytes.ts'
import { readUpdatesAnswers, writeUpdatesAnswers } from './update-answer-codec.ts'
import { arbitraryUpdatesAnswer } from './updates.arbitraries.ts'

test('answers about updates are read as they were written, one after another with the same memory', () => {
  const writer = new ByteWriter()
  fc.assert(
    fc.property(fc.array(arbitraryUpdatesAnswer, { maxLength: 3 }), (answers) => {
      expect(readUpdatesAnswers(writeUpdatesAnswers(writer, answers))).toStrictEqual(answers)
    }),
  )
})
