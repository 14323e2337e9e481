/** Frames of answers: the same messages, however they are put together. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { JsonWriter } from '../../../units/json-writer.ts'
import { AnswerOutput } from './answer-output.ts'

const anyAnswer = fc.record({
  id: fc.oneof(
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }).map((id) => JSON.stringify(id)),
  ),
  status: fc.constantFrom(200, 400, 403, 503),
  body: fc.json({ stringUnit: 'grapheme' }),
  isWritten: fc.boolean(),
  isRepeat: fc.boolean(),
  retryAfter: fc.option(fc.nat(), { nil: undefined }),
  isAcknowledged: fc.boolean(),
})

/** The members as specified in docs/reference/order-entry.md, assembled as texts. */
function membersOf({
  id,
  status,
  body,
  isRepeat,
  retryAfter,
}: {
  id: string | number
  status: number
  body: string
  isRepeat: boolean
  retryAfter: number | undefined
}) {
  const besides = { ...(isRepeat ? { repeated: true } : {}), retryAfter }
  const last = isRepeat || retryAfter !== undefined ? `,${JSON.stringify(besides)}` : ''
  return `${id},${status},${body}${last}`
}

test('answers of a turn are one frame where the client asked for that and the frame is short, and otherwise a frame each', async () => {
  const turns = fc.array(fc.array(anyAnswer, { maxLength: 8 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(turns, fc.boolean(), async (answersByTurn, isMany) => {
      const sent: string[] = []
      const output = new AnswerOutput(
        true,
        (frames) => sent.push(...frames.map(({ text }) => text)),
        () => {},
      )
      if (isMany) output.sendMany()
      const expected: string[] = []
      const acknowledged: string[] = []
      const asked: string[] = []
      const scratch = new JsonWriter()
      for (const answers of answersByTurn) {
        for (const { body, isWritten, isAcknowledged, ...answer } of answers) {
          scratch.reset()
          scratch.text(body)
          const acknowledge = isAcknowledged
            ? (members: string) => void acknowledged.push(members)
            : undefined
          if (isAcknowledged) asked.push(membersOf({ ...answer, body }))
          output.answer({ ...answer, body: isWritten ? scratch : body, acknowledge })
        }
        const messages = answers.map((answer) => `["answer",${membersOf(answer)}]`)
        if (!isMany || messages.length === 1) expected.push(...messages)
        else if (messages.length > 1) expected.push(`[${messages.join(',')}]`)
        await Promise.resolve()
      }
      expect(sent).toEqual(expected)
      expect(acknowledged).toEqual(asked)
    }),
  )
})

test('a long frame ends, and what follows it in the turn begins another', async () => {
  const sent: string[] = []
  const output = new AnswerOutput(
    true,
    (frames) => sent.push(...frames.map(({ text }) => text)),
    () => {},
  )
  output.sendMany()
  const long = JSON.stringify('ş'.repeat(9_000))
  for (const body of ['1', long, '2']) {
    output.answer({
      ...{ id: '7', status: 200, body, isRepeat: false },
      ...{ retryAfter: undefined, acknowledge: undefined },
    })
  }
  output.loggedOut('{}', undefined)
  output.loggedOut('{}', 30)
  await Promise.resolve()
  expect(sent).toEqual([
    `[["answer",7,200,1],["answer",7,200,${long}]]`,
    '[["answer",7,200,2],["loggedOut",{}],["loggedOut",{},{"retryAfter":30}]]',
  ])
})
